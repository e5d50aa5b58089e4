# A cluster x node matrix: white to blue, each figure in its cell.

load scripts."/common.gp"

set border 0
unset grid
set xrange [-0.5 : columns - 0.5]
set yrange [rows - 0.5 : -0.5]
unset xtics
set x2range [-0.5 : columns - 0.5]
set x2tics scale 0
set ytics scale 0

ok(_) = strcol(col_status) eq "ok"
mix(from, to, s) = int(from + (to - from) * s)
shade(_) = 65536 * mix(255, 8, column(col_shade)) + 256 * mix(255, 64, column(col_shade)) + mix(255, 129, column(col_shade))
ink(_) = ok(0) && column(col_shade) > 0.68 ? 0xffffff : 0x222222

plot data using (column(col_column)):(column(col_row)):(ok(0) ? 0 : 0.485):(ok(0) ? 0 : 0.47) \
       with boxxyerror fillstyle pattern 4 border linecolor rgb "#bbbbbb" fillcolor rgb "#c8c8c8", \
     data using (ok(0) ? column(col_column) : NaN):(column(col_row)):(0.485):(0.47):(shade(0)) \
       with boxxyerror fillstyle solid border linecolor rgb "#bbbbbb" fillcolor rgb variable, \
     data using (column(col_column)):(column(col_row)):(strcol(col_text)):(ink(0)):x2tic(strcol(col_column_label)):ytic(strcol(col_row_label)) \
       axes x2y1 with labels font "sans-serif,13" textcolor rgb variable
