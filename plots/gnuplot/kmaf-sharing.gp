# The sharing matrix: one cell for each pair of threads, darker for more sharing.

load scripts."/common.gp"

set border 15
unset grid
set xrange [-0.5 : threads - 0.5]
set yrange [-0.5 : threads - 0.5]
step_ = threads <= 8 ? 1 : threads <= 16 ? 2 : threads <= 40 ? 5 : threads <= 80 ? 10 : threads <= 200 ? 20 : 50
set xtics step_
set ytics step_
set xlabel "thread"
set ylabel "thread"
set palette gray negative
set cbrange [0 : most]
unset colorbox
plot data using (column(col_thread)):(column(col_other)):(column(col_accesses)) with image pixels
