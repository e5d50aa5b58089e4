# Bandwidth of tiers in panels: over the size of written blocks, a line for each number of threads; or over the number of
# threads, a line for each tier. Both axes are logarithmic.

load scripts."/common.gp"

left_x(c) = (70.0 + c * step_x) / width
top_y(r) = 1 - (104.0 + 22 + r * step_y) / height

of(p, s) = column(col_panel) == p && column(col_series) == s
# An interval that is wider than the picture ends at its frame.
lowest_of(lo) = lo > least ? lo : least
highest_of(hi) = hi < most ? hi : most
shade(s) = hex(series_colour(s < 5 ? s : s + 1))  # the sixth of them is too near to the first
point(s) = int(word("7 5 9 11 13 15 1 2", s % 8 + 1))

# The legend, in a row above the panels.
at_y = 1 - 80.0 / height
do for [s=0:int(series) - 1] {
  x = value(sprintf("legend_%d_x", s))
  set arrow 100 + s from screen x / width, at_y to screen (x + 24) / width, at_y nohead linewidth 1.8 linecolor rgb shade(s)
  set label 100 + s "" at screen (x + 12) / width, at_y point pointtype point(s) pointsize 0.6 linecolor rgb shade(s)
  set label 200 + s value(sprintf("legend_%d", s)) at screen (x + 30) / width, at_y left
}

# What a vendor claims: of the tier whose line it is, or of the only tier of the panel.
vendor_shade(s) = vendor_by_series == 1 ? shade(s) : hex(0x555555)
left_end = least_x / 1.15
right_end = most_x * 1.15

set logscale x 2
set logscale y
set xrange [least_x / 1.15 : most_x * 1.15]
set yrange [least:most]
set tics scale 0.6
unset mxtics
unset mytics
eval "set xtics (".xtics_source.")"
eval "set ytics (".ytics_source.")"

set multiplot
do for [p=0:int(panels) - 1] {
  c = p % int(columns)
  r = p / int(columns)
  lowest = p + columns >= panels
  set lmargin at screen left_x(c)
  set rmargin at screen left_x(c) + panel_width / width
  set tmargin at screen top_y(r)
  set bmargin at screen top_y(r) - panel_height / height
  Title = ""
  stats data using (column(col_panel) == p ? (Title = strcol(col_title), 1) : NaN) nooutput
  set label 20 Title at graph 0, 1 left offset 0,0.7 textcolor rgb "#222222"
  if (lowest) { set xlabel x_text } else { unset xlabel }
  if (c == 0) { set format y "%g"; set ylabel "bandwidth (GB/s)" } else { set format y ""; unset ylabel }
  plot for [s=0:int(series) - 1] data using (of(p, s) ? left_end : NaN):(column(col_vendor)):(right_end - left_end):(0) \
         with vectors nohead linewidth 1.4 dashtype 2 linecolor rgb vendor_shade(s), \
       for [s=0:int(series) - 1] data using (of(p, s) ? column(col_x) : NaN):(column(col_value)) \
         with lines linewidth 1.8 linecolor rgb shade(s), \
       for [s=0:int(series) - 1] data using (of(p, s) ? column(col_x) : NaN):(lowest_of(column(col_lo))):(0):(highest_of(column(col_hi)) - lowest_of(column(col_lo))) \
         with vectors nohead linewidth 1.4 linecolor rgb shade(s), \
       for [s=0:int(series) - 1] data using (of(p, s) ? column(col_x) : NaN):(column(col_value)) \
         with points pointtype point(s) pointsize 0.6 linecolor rgb shade(s)
  # What lies outside the panels belongs to the picture, not to each panel.
  unset label
  unset arrow
}
unset multiplot
