# Bandwidth against the share of the data in the fast memory, one panel for each ratio of loads to stores or for each
# application: theoretical limits, the models of all laws, the measured grid, pages interleaved N:M, applications, and the bandwidths of one memory alone.

load scripts."/common.gp"

left_x(c) = (70.0 + c * step_x) / width
top_y(r) = 1 - (panels_top + 22 + r * step_y) / height

is(p, s) = column(col_panel) == p && strcol(col_series) eq s
x(_) = column(col_fast_percent)
to_frame(_) = column(col_hi) < most ? column(col_hi) : most
# The best law is the widest line and solid.
others = ""
do for [name in law_names] { if (name ne best) { others = others." ".name } }
style_of(name) = name eq best ? 1 : name eq word(others, 1) ? 2 : 3
law_colour(name) = rgb(word("#0072b2 #c24e00 #00805e", style_of(name)))
law_width(name) = style_of(name) == 1 ? 2.4 : 1.5
set dashtype 21 solid
set dashtype 22 (7,4)
set dashtype 23 (3,3)
interleaved_colour = 0x5d3fb3

# The legend, in rows above the panels.
legend_text(name) = value("legend_".name)
legend_x(name, more) = (value("legend_".name."_x") + more) / width
legend_y(name) = 1 - (80.0 + value("legend_".name."_y")) / height
array Mark_type[3] = [7, 9, 13]
array Mark_size[3] = [0.55, 0.8, 0.7]
array Mark_colour[3] = [0x222222, 0xa8437f, interleaved_colour]
marks = "benchmark application interleaved"
do for [i=1:words(marks)] {
  name = word(marks, i)
  if (strlen(legend_text(name)) > 0) {
    set label 10 + 2 * i "" at screen legend_x(name, 12), legend_y(name) point pointtype Mark_type[i] pointsize Mark_size[i] linecolor rgb Mark_colour[i]
    set label 11 + 2 * i legend_text(name) at screen legend_x(name, 30), legend_y(name) left
  }
}
do for [i=1:words(law_names)] {
  name = word(law_names, i)
  if (strlen(legend_text(name)) > 0) {
    set arrow 10 + i from screen legend_x(name, 0), legend_y(name) to screen legend_x(name, 24), legend_y(name) nohead \
      linewidth law_width(name) dashtype 20 + style_of(name) linecolor rgb law_colour(name)
    set label 40 + i legend_text(name) at screen legend_x(name, 30), legend_y(name) left
  }
}
name = "interleaved_equation5"
if (strlen(legend_text(name)) > 0) {
  set arrow 10 from screen legend_x(name, 0), legend_y(name) to screen legend_x(name, 24), legend_y(name) nohead \
    linewidth 1.2 dashtype 15 linecolor rgb interleaved_colour
  set label 40 legend_text(name) at screen legend_x(name, 30), legend_y(name) left
}
name = "limits"
if (strlen(legend_text(name)) > 0) {
  set object 10 rectangle from screen legend_x(name, 0), legend_y(name) - 6.0 / height to screen legend_x(name, 24), legend_y(name) + 6.0 / height \
    fillstyle solid noborder fillcolor rgb "#dcdcdc"
  set label 9 legend_text(name) at screen legend_x(name, 30), legend_y(name) left
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
       for [i=1:words(law_names)] data using (is(p, word(law_names, i)) ? x(0) : NaN):(column(col_gb_per_s)) with lines \
         linewidth law_width(word(law_names, i)) dashtype 20 + style_of(word(law_names, i)) linecolor rgb law_colour(word(law_names, i)), \
       data using (is(p, "interleaved_equation5") ? x(0) : NaN):(column(col_gb_per_s)) with lines linewidth 1.2 dashtype 15 linecolor rgb interleaved_colour, \
       data using (is(p, "interleaved") ? x(0) : NaN):(column(col_lo)):(0):(to_frame(0) - column(col_lo)) with vectors nohead linewidth 1.4 linecolor rgb interleaved_colour, \
       data using (is(p, "interleaved") ? x(0) : NaN):(column(col_gb_per_s)) with points pointtype 13 pointsize 0.7 linecolor rgb interleaved_colour, \
       data using (is(p, "benchmark") ? x(0) : NaN):(column(col_lo)):(0):(to_frame(0) - column(col_lo)) with vectors nohead linewidth 1.4 linecolor rgb "#222222", \
       data using (is(p, "benchmark") ? x(0) : NaN):(column(col_gb_per_s)) with points pointtype 7 pointsize 0.55 linecolor rgb "#222222", \
       data using (is(p, "application") ? x(0) : NaN):(column(col_lo)):(0):(to_frame(0) - column(col_lo)) with vectors nohead linewidth 1.4 linecolor rgb "#a8437f", \
       data using (is(p, "application") ? x(0) : NaN):(column(col_gb_per_s)) with linespoints pointtype 9 pointsize 0.8 linewidth 1.0 dashtype (2,3) linecolor rgb "#a8437f"
  # What lies outside the panels belongs to the picture, not to each panel.
  unset label
  unset arrow
  unset object
}
unset multiplot
