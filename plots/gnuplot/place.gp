# Traversed edges per second of placements, in panels: lines over ranks or threads, or bars graph by graph. A colour and a
# symbol for each placement, explained in a row above the panels; vertical strokes are 95 % intervals.

load scripts."/common.gp"

bars = int(bars)
log_x = int(log_x)

left_x(c) = (left_room + c * step_x) / width
top_y(r) = 1 - (top_room + r * step_y) / height

of(p, s) = column(col_panel) == p && column(col_series) == s
symbol(s) = int(word("7 5 9 11 13 6 4 8 10", s % 9 + 1))
bar_ = 0.8 / series
at(s) = column(col_x) + (bars ? -0.4 + (s + 0.5) * bar_ : 0)

legend_y = 1 - 76.0 / height
do for [s=0:int(series) - 1] {
  At = value(sprintf("series_%d_x", s))
  Text = value(sprintf("series_%d", s))
  if (bars) {
    set object 100 + s rectangle from screen At / width, legend_y - 6.0 / height to screen (At + 24) / width, legend_y + 6.0 / height \
      fillstyle solid 0.8 noborder fillcolor rgb hex(series_colour(s))
  } else {
    set arrow 100 + s from screen At / width, legend_y to screen (At + 24) / width, legend_y nohead linewidth 1.8 linecolor rgb hex(series_colour(s))
    set label 200 + s "" at screen (At + 12) / width, legend_y point pointtype symbol(s) pointsize 0.8 linecolor rgb hex(series_colour(s))
  }
  set label 100 + s Text at screen (At + 30) / width, legend_y left
}

set xrange [x_from:x_to]
if (log_x) { set logscale x 2 }
set xtics () nomirror out scale 0.6
do for [i=1:int(tics)] { set xtics add (value(sprintf("tic_%d_text", i)) value(sprintf("tic_%d", i))) }
if (bars) { set grid noxtics ytics }
set style fill solid 0.8 noborder
set boxwidth bar_ * 0.92

# Strokes end at the frame: gnuplot drops those that end far beyond it.
top_of(p) = value(sprintf("most_%d", p))
inside(p, v) = v < 0 ? 0 : v > top_of(p) ? top_of(p) : v
low(p) = inside(p, column(col_lo))
high(p) = inside(p, column(col_hi))

set multiplot
do for [p=0:int(panels) - 1] {
  c = p % int(columns)
  r = p / int(columns)
  set lmargin at screen left_x(c)
  set rmargin at screen left_x(c) + panel_width / width
  set tmargin at screen top_y(r)
  set bmargin at screen top_y(r) - panel_height / height
  set yrange [0:top_of(p)]
  Title = ""
  stats data using (column(col_panel) == p ? (Title = strcol(col_title), 0) : NaN) nooutput
  set label 20 Title at graph 0, 1 left offset 0,0.7 textcolor rgb "#222222"
  if (strlen(x_label) > 0) { set xlabel x_label }
  if (c == 0) { set ylabel "million traversed edges per second" } else { unset ylabel }
  if (bars) {
    plot for [s=0:int(series) - 1] data using (of(p, s) ? at(s) : NaN):(column(col_mteps)) with boxes linecolor rgb hex(series_colour(s)), \
         for [s=0:int(series) - 1] data using (of(p, s) ? at(s) : NaN):(low(p)):(0):(high(p) - low(p)) \
           with vectors nohead linewidth 1.6 linecolor rgb "#222222"
  } else {
    plot for [s=0:int(series) - 1] data using (of(p, s) ? at(s) : NaN):(column(col_mteps)) with lines linewidth 1.8 linecolor rgb hex(series_colour(s)), \
         for [s=0:int(series) - 1] data using (of(p, s) ? at(s) : NaN):(low(p)):(0):(high(p) - low(p)) \
           with vectors nohead linewidth 1.6 linecolor rgb hex(series_colour(s)), \
         for [s=0:int(series) - 1] data using (of(p, s) ? at(s) : NaN):(column(col_mteps)) with points pointtype symbol(s) pointsize 0.8 linecolor rgb hex(series_colour(s))
  }
  # What lies outside the panels belongs to the picture, not to each panel.
  unset label
  unset arrow
  unset object
}
unset multiplot
