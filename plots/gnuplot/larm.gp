# The Locality-Aware Roofline chart of one cluster. The table carries the lines and where their labels stand.

load scripts."/common.gp"

set logscale xy
set xrange [x_first:x_last]
set yrange [y_from:y_to]
set xlabel "arithmetic intensity (flop/byte)"
set ylabel "performance (GFlop/s)"
octave(k) = k < 0 ? sprintf("1/%d", int(2 ** -k)) : sprintf("%d", int(2 ** k))
set xtics ()
do for [k=int(octave_from):int(octave_to):(octave_to - octave_from > 20 ? 4 : octave_to - octave_from > 15 ? 2 : 1)] { set xtics add (octave(k) 2.0 ** k) }
set mxtics default
set ytics format "%g"
set grid xtics ytics mytics linetype 1 linewidth 0.6 linecolor rgb "#dddddd", linetype 1 linewidth 0.4 linecolor rgb "#eeeeee"

# The label columns: no grid behind the text.
x_from = 2.0 ** octave_from
x_to = 2.0 ** octave_to
set object 1 rectangle from x_first,y_from to x_from,y_to behind fillstyle solid noborder fillcolor rgb "white"
set object 2 rectangle from x_to,y_from to x_last,y_to behind fillstyle solid noborder fillcolor rgb "white"

# Where the roofs lie of data that is spread over two local memories: from the slow one's, light, to the fast one's.
if (range_slow > 0) {
  Strips = 32
  edge(i) = range_slow * (range_fast / range_slow) ** (1.0 * i / Strips)
  end_x(v) = peaks > 0 ? ridge_peak / v : x_to
  tint(i) = 65536 * int(247 - 72.0 * i / Strips) + 256 * int(249 - 42.0 * i / Strips) + int(251 - 28.0 * i / Strips)
  do for [i=0:Strips - 1] {
    a = edge(i)
    b = edge(i + 1)
    set object 1000 + i polygon from x_from,a * x_from to end_x(a),a * end_x(a) to end_x(b),b * end_x(b) to x_from,b * x_from \
      to x_from,a * x_from behind fillstyle solid noborder fillcolor rgb hex(tint(i + 0.5))
  }
}

do for [p=1:words(patterns)] {
  do for [t=1:words(tiers)] {
    set style arrow 10 * p + t nohead dashtype 10 + p linewidth width_of(t) linecolor rgb hex(colour_of(p, t))
  }
}
set style arrow 100 nohead dashtype (7,4) linewidth 1.6 linecolor rgb "#555555"

pattern_here(_) = strcol(col_kind) eq "flops" ? "core" : strcol(col_pattern)
style_here(_) = strcol(col_precision) eq "sp" ? 100 : 10 * pattern_number(pattern_here(0)) + tier_number(strcol(col_tier))
colour_here(_) = colour(pattern_here(0), strcol(col_tier))

is_validation(_) = strcol(col_kind) eq "validation"
ok(_) = strcol(col_status) eq "ok" && !is_validation(0)
measured(_) = strcol(col_status) eq "ok" && is_validation(0)

# 95 % intervals as bands where the table has no bars for them, which end at the peak as their roofs do: the upper edge before the roof, the lower one after it.
cut(b) = strcol(col_kind) ne "flops" && peaks > 0 ? column(col_value) / b : 1
array X1[rows]; array Lo_x2[rows]; array Hi_x2[rows]; array Lo1[rows]; array Hi1[rows]; array Lo2[rows]; array Hi2[rows]; array Shade[rows]
do for [i=1:rows] { X1[i] = 0 }
row(_) = int(column(0)) + 1
keep(_) = (X1[row(0)] = column(col_bar_x) > 0 ? 0 : column(col_x_from), Lo_x2[row(0)] = column(col_x_to) * cut(column(col_lo)), \
          Hi_x2[row(0)] = column(col_x_to) * cut(column(col_hi)), \
          Lo1[row(0)] = column(col_y_from) * column(col_lo) / column(col_value), \
          Hi1[row(0)] = column(col_y_from) * column(col_hi) / column(col_value), \
          Lo2[row(0)] = column(col_y_to) * cut(column(col_lo)) * column(col_lo) / column(col_value), \
          Hi2[row(0)] = column(col_y_to) * cut(column(col_hi)) * column(col_hi) / column(col_value), \
          Shade[row(0)] = colour_here(0), 1)
stats data using (ok(0) ? keep(0) : NaN) nooutput
do for [i=1:rows] {
  if (X1[i] > 0) {
    set object 10 + i polygon from X1[i],Lo1[i] to Lo_x2[i],Lo2[i] to Hi_x2[i],Hi2[i] to X1[i],Hi1[i] to X1[i],Lo1[i] \
      fillstyle transparent solid 0.25 noborder fillcolor rgb hex(Shade[i])
  }
}

side(s) = column(col_side) == s
leader_x(_) = side(0) ? column(col_x_from) : column(col_x_to)
leader_y(_) = side(0) ? column(col_y_from) : column(col_y_to)

# Bars end at the frame, without a cap where the interval goes on beyond it.
beyond_low(_) = column(col_bar_lo) < y_from
beyond_high(_) = column(col_bar_hi) > y_to
low(_) = beyond_low(0) ? y_from : column(col_bar_lo)
high(_) = beyond_high(0) ? y_to : column(col_bar_hi)
bar(Below, Above) = ok(0) && beyond_low(0) == Below && beyond_high(0) == Above ? column(col_bar_x) : NaN

load scripts."/larm-points.gp"

plot data using (ok(0) ? column(col_label_x) : NaN):(column(col_label_y)):(leader_x(0) - column(col_label_x)):(leader_y(0) - column(col_label_y)):(colour_here(0)) \
       with vectors nohead linewidth 0.8 linecolor rgb variable, \
     data using (ok(0) ? column(col_x_from) : NaN):(column(col_y_from)):(column(col_x_to) - column(col_x_from)):(column(col_y_to) - column(col_y_from)):(style_here(0)) \
       with vectors arrowstyle variable, \
     data using (bar(0, 0)):(low(0)):(0):(high(0) - low(0)):(colour_here(0)) with vectors heads size screen 0.003,90 linewidth 1.2 linecolor rgb variable, \
     data using (bar(1, 0)):(low(0)):(0):(high(0) - low(0)):(colour_here(0)) with vectors head size screen 0.003,90 linewidth 1.2 linecolor rgb variable, \
     data using (bar(0, 1)):(low(0)):(0):(high(0) - low(0)):(colour_here(0)) with vectors backhead size screen 0.003,90 linewidth 1.2 linecolor rgb variable, \
     data using (bar(1, 1)):(low(0)):(0):(high(0) - low(0)):(colour_here(0)) with vectors nohead linewidth 1.2 linecolor rgb variable, \
     data using (measured(0) ? column(col_flop_per_byte) : NaN):(column(col_value)) with points pointtype 7 pointsize 0.5 linecolor rgb "white", \
     data using (measured(0) ? column(col_flop_per_byte) : NaN):(column(col_value)):(colour_here(0)) \
       with points pointtype 6 pointsize 0.5 linewidth 1.2 linecolor rgb variable, \
     for [i=1:int(peaks > 0)] data using (ok(0) && side(0) ? column(col_ridge_flop_per_byte) : NaN):(ridge_peak):(colour_here(0)) \
       with points pointtype 7 pointsize 0.6 linecolor rgb variable, \
     data using (ok(0) ? column(col_label_x) : NaN):(column(col_label_y)):(side(0) ? strcol(col_label) : ""):(colour_here(0)) \
       with labels right offset -0.5,0 textcolor rgb variable, \
     data using (ok(0) ? column(col_label_x) : NaN):(column(col_label_y)):(side(1) ? strcol(col_label) : ""):(colour_here(0)) \
       with labels left offset 0.5,0 textcolor rgb variable
