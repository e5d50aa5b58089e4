# What each policy makes of a trace, relative to the OS: time, L3 misses, link traffic, energy, with 95 % intervals.

load scripts."/common.gp"

set xrange [-0.5 : policies - 0.5]
set yrange [0 : most]
unset xtics
set grid noxtics ytics
set ylabel "relative to the OS"
set style fill solid 0.8 noborder
set key at graph 1,1.1 right top horizontal samplen 1.2 maxrows 1
wide_ = 0.8 / measures
at(m) = column(col_policy_number) - 0.4 + (m + 0.5) * wide_
of(m) = column(col_measure_number) == m
name(m) = m == 0 ? "time" : m == 1 ? "L3 misses" : m == 2 ? "link traffic" : "energy"
low(_) = column(col_lo) < 0 ? 0 : column(col_lo)
set boxwidth wide_ * 0.92
plot for [m=0:int(measures) - 1] data using (of(m) ? at(m) : NaN):(column(col_value)) with boxes linecolor rgb hex(series_colour(m)) title name(m), \
     for [m=0:int(measures) - 1] data using (of(m) ? at(m) : NaN):(low(0)):(0):(column(col_hi) - low(0)) \
       with vectors nohead linewidth 1.6 linecolor rgb "#222222" notitle, \
     data using (of(0) ? column(col_policy_number) : NaN):(0):(strcol(col_policy)) with labels offset 0,-1 notitle, \
     1 with lines linewidth 1 dashtype 12 linecolor rgb "#222222" notitle
