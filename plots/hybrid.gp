# Bandwidth against the share of the data in the fast memory, one panel for each ratio of loads to stores or for each
# application: theoretical limits, both models, the measured grid, applications, and the bandwidths of one memory alone.

load scripts."/common.gp"

left_x(c) = (70.0 + c * step_x) / width
top_y(r) = 1 - (104.0 + 22 + r * step_y) / height

is(p, s) = column(col_panel) == p && strcol(col_series) eq s
x(_) = column(col_fast_percent)
model_colour(name) = name eq better ? 0x0072b2 : 0xc24e00
model_width(name) = name eq better ? 2.4 : 1.5

if (better eq "phased") { set dashtype 21 (7,4); set dashtype 22 solid } else { set dashtype 21 solid; set dashtype 22 (7,4) }

# The legend, in a row above the panels.
at_y = 1 - 80.0 / height
if (strlen(legend_benchmark) > 0) {
  set label 10 "" at screen (legend_benchmark_x + 12) / width, at_y point pointtype 7 pointsize 0.55 linecolor rgb "#222222"
  set label 11 legend_benchmark at screen (legend_benchmark_x + 30) / width, at_y left
}
if (strlen(legend_application) > 0) {
  set label 12 "" at screen (legend_application_x + 12) / width, at_y point pointtype 9 pointsize 0.8 linecolor rgb "#a8437f"
  set label 13 legend_application at screen (legend_application_x + 30) / width, at_y left
}
if (strlen(legend_equation5) > 0) {
  set arrow 10 from screen legend_equation5_x / width, at_y to screen (legend_equation5_x + 24) / width, at_y nohead \
    linewidth model_width("equation5") dashtype 21 linecolor rgb model_colour("equation5")
  set label 14 legend_equation5 at screen (legend_equation5_x + 30) / width, at_y left
}
if (strlen(legend_phased) > 0) {
  set arrow 11 from screen legend_phased_x / width, at_y to screen (legend_phased_x + 24) / width, at_y nohead \
    linewidth model_width("phased") dashtype 22 linecolor rgb model_colour("phased")
  set label 15 legend_phased at screen (legend_phased_x + 30) / width, at_y left
}
if (strlen(legend_limits) > 0) {
  set object 10 rectangle from screen legend_limits_x / width, at_y - 6.0 / height to screen (legend_limits_x + 24) / width, at_y + 6.0 / height \
    fillstyle solid noborder fillcolor rgb "#dcdcdc"
  set label 16 legend_limits at screen (legend_limits_x + 30) / width, at_y left
}

set xrange [0:100]
set yrange [0:most]
set style fill solid noborder
set tics scale 0.6

array Raw[4]
array Raw_text[4]
array Raw_y[4]
do for [i=1:int(raw)] { Raw[i] = value(sprintf("raw_%d", i)); Raw_text[i] = value(sprintf("raw_%d_text", i)); Raw_y[i] = value(sprintf("raw_%d_y", i)) }

set multiplot
do for [p=0:int(panels) - 1] {
  c = p % int(columns)
  r = p / int(columns)
  lowest = p + columns >= panels
  last_of_row = c == int(columns) - 1 || p == int(panels) - 1
  set lmargin at screen left_x(c)
  set rmargin at screen left_x(c) + panel_width / width
  set tmargin at screen top_y(r)
  set bmargin at screen top_y(r) - panel_height / height
  Title = ""
  stats data using (column(col_panel) == p ? (Title = strcol(col_title), 1) : NaN) nooutput
  set label 20 Title at graph 0, 1 left offset 0,0.7 textcolor rgb "#222222"
  set xtics 25
  set ytics
  if (lowest) { set format x "%g"; set xlabel "data in the fast memory (%)" } else { set format x ""; unset xlabel }
  if (c == 0) { set format y "%g"; set ylabel "bandwidth (GB/s)" } else { set format y ""; unset ylabel }
  do for [i=1:int(raw)] {
    if (last_of_row) { set label 30 + i Raw_text[i] at graph 1.03, first Raw_y[i] left textcolor rgb "#555555"; \
      set arrow 30 + i from graph 1, first Raw[i] to graph 1.025, first Raw_y[i] nohead linewidth 0.7 linecolor rgb "#777777" }
  }
  plot data using (is(p, "limits") ? x(0) : NaN):(column(col_lo)):(column(col_hi)) with filledcurves linecolor rgb "#dcdcdc", \
       for [i=1:int(raw)] Raw[i] with lines linewidth 0.9 dashtype (2,3) linecolor rgb "#777777", \
       data using (is(p, "equation5") ? x(0) : NaN):(column(col_gb_per_s)) with lines \
         linewidth model_width("equation5") dashtype 21 linecolor rgb model_colour("equation5"), \
       data using (is(p, "phased") ? x(0) : NaN):(column(col_gb_per_s)) with lines \
         linewidth model_width("phased") dashtype 22 linecolor rgb model_colour("phased"), \
       data using (is(p, "benchmark") ? x(0) : NaN):(column(col_lo)):(0):(column(col_hi) - column(col_lo)) with vectors nohead linewidth 1.4 linecolor rgb "#222222", \
       data using (is(p, "benchmark") ? x(0) : NaN):(column(col_gb_per_s)) with points pointtype 7 pointsize 0.55 linecolor rgb "#222222", \
       data using (is(p, "application") ? x(0) : NaN):(column(col_lo)):(0):(column(col_hi) - column(col_lo)) with vectors nohead linewidth 1.4 linecolor rgb "#a8437f", \
       data using (is(p, "application") ? x(0) : NaN):(column(col_gb_per_s)) with linespoints pointtype 9 pointsize 0.8 linewidth 1.0 dashtype (2,3) linecolor rgb "#a8437f"
  # What lies outside the panels belongs to the picture, not to each panel.
  unset label
  unset arrow
  unset object
}
unset multiplot
