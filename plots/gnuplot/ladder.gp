# Bandwidth above, latency below, against the working set; claimed cache sizes as vertical lines.

load scripts."/common.gp"

set logscale xy
set xrange [2.0 ** octave_from : 2.0 ** octave_to]
size_text(k) = k < 10 ? sprintf("%d B", 2 ** k) : k < 20 ? sprintf("%d KiB", 2 ** (k - 10)) : \
               k < 30 ? sprintf("%d MiB", 2 ** (k - 20)) : sprintf("%d GiB", 2 ** (k - 30))
every_ = octave_to - octave_from > 12 ? 2 : 1
set logscale y 2
set ytics format "%g"
set grid xtics ytics mytics linetype 1 linewidth 0.6 linecolor rgb "#dddddd", linetype 1 linewidth 0.4 linecolor rgb "#eeeeee"

is_cache(_) = strcol(col_kind) eq "cache"
of(s) = !is_cache(0) && column(col_series) == s
end_of(s) = of(s) && strlen(strcol(col_label)) > 0

gap_ = 16 / height
middle = bottom + (top - bottom - gap_) / 2
panels = (bandwidths > 0) + (latencies > 0)

line_colour(s) = series_colour(s % 10 + (s >= 10))

set multiplot
do for [panel=1:2] {
  first = panel == 1 ? 0 : 10
  count = int(panel == 1 ? bandwidths : latencies)
  if (count == 0) { continue }
  set tmargin at screen panel == 1 || panels == 1 ? top : middle
  set bmargin at screen panel == 2 || panels == 1 ? bottom : middle + gap_
  y_from = panel == 1 ? bandwidth_from : latency_from
  y_to = panel == 1 ? bandwidth_to : latency_to
  set yrange [y_from:y_to]
  near_top = y_to * (y_from / y_to) ** 0.04
  set ylabel panel == 1 ? "bandwidth (GB/s)" : "latency (ns)"
  lowest = panel == 2 || panels == 1
  set xtics ()
  do for [k=int(octave_from):int(octave_to):every_] { set xtics add (lowest ? size_text(k) : "" 2.0 ** k) }
  if (lowest) { set xlabel "working set" }
  do for [s=first:first + count - 1] {
    Text = ""
    stats data using (end_of(s) ? (Text = strcol(col_label), At = column(col_label_y)) : NaN) nooutput
    set label 20 + s Text at graph 1.03, first At left textcolor rgb hex(line_colour(s))
  }
  plot for [i=1:int(caches > 0)] data using (is_cache(0) ? column(col_bytes) : NaN):(y_from):(0):(y_to - y_from) \
         with vectors nohead dashtype (5,4) linewidth 1 linecolor rgb "#777777", \
       for [s=first:first + count - 1] data using (of(s) ? column(col_bytes) : NaN):(column(col_value)) \
         with lines linewidth 1.8 linecolor rgb hex(line_colour(s)), \
       for [s=first:first + count - 1] data using (of(s) ? column(col_bytes) : NaN):(column(col_lo)):(0):(column(col_hi) - column(col_lo)) \
         with vectors nohead linewidth 1.6 linecolor rgb hex(line_colour(s)), \
       for [s=first:first + count - 1] data using (of(s) ? column(col_bytes) : NaN):(column(col_value)) \
         with points pointtype 7 pointsize 0.4 linecolor rgb hex(line_colour(s)), \
       for [i=1:int(caches > 0 && panel == 1)] data using (is_cache(0) ? column(col_label_bytes) : NaN):(near_top):(strcol(col_label)) \
         with labels left offset 0.4,0 textcolor rgb "#555555"
  # Texts belong to the picture, not to each panel.
  unset label
}
unset multiplot
