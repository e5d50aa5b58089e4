# Latency of dependent loads beside a growing load, one curve for each memory node.

load scripts."/common.gp"

set xrange [0:most_load]
set yrange [0:most_ns]
set xlabel "load (GB/s)"
set ylabel "latency (ns)"

of(s) = column(col_series) == s
idle(s) = of(s) && column(col_load_percent) == 0
last = int(series) - 1
point(s) = int(word("7 5 9 11 13", s % 5 + 1))

do for [s=0:last] {
  Text = ""
  stats data using (of(s) && strlen(strcol(col_label)) > 0 ? \
                    (Text = strcol(col_label), At = column(col_label_y), X = column(col_load_gb_per_s), Y = column(col_value), 1) : NaN) nooutput
  set label 20 + s Text at graph 1.03, first At left textcolor rgb hex(series_colour(s))
  set arrow 20 + s from first X, first Y to graph 1.02, first At nohead linewidth 0.7 linecolor rgb hex(series_colour(s)) dashtype (2,3)
}

plot for [s=0:last] data using (idle(s) ? 0 : NaN):(column(col_value)):(most_load):(0) \
       with vectors nohead dashtype (6,5) linewidth 0.8 linecolor rgb hex(series_colour(s)), \
     for [s=0:last] data using (of(s) ? column(col_load_gb_per_s) : NaN):(column(col_value)) \
       with lines linewidth 1.8 linecolor rgb hex(series_colour(s)), \
     for [s=0:last] data using (of(s) ? column(col_load_gb_per_s) : NaN):(column(col_lo)):(0):(column(col_hi) - column(col_lo)) \
       with vectors nohead linewidth 1.6 linecolor rgb hex(series_colour(s)), \
     for [s=0:last] data using (of(s) ? column(col_load_gb_per_s) : NaN):(column(col_value)) \
       with points pointtype point(s) pointsize 0.7 linecolor rgb hex(series_colour(s))
