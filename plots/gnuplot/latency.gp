# Idle latency by level and node: one bar for each.

load scripts."/common.gp"

set xrange [0:most_ns]
set yrange [rows + 0.6 : 0.4]
set xlabel "latency of a dependent load (ns)"
set border 3
set grid noytics xtics
set ytics scale 0
set style fill solid noborder
set bars 0.6

ok(_) = strcol(col_status) eq "ok"
bar_colour(_) = colour(strcol(col_pattern), strcol(col_tier))

plot data using (ok(0) ? column(col_value) / 2 : NaN):(column(col_place)):(column(col_value) / 2):(0.36):(bar_colour(0)) \
       with boxxyerror fillcolor rgb variable, \
     data using (ok(0) ? column(col_value) : NaN):(column(col_place)):(column(col_lo)):(column(col_hi)) \
       with xerrorbars pointtype -1 linewidth 1.4 linecolor rgb "#000000", \
     data using (ok(0) ? column(col_hi) : 0):(column(col_place)):(strcol(col_text)):ytic(strcol(col_name)) \
       with labels left offset 0.8,0 textcolor rgb "#222222"
