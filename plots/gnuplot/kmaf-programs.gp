# One measure of every program under every policy relative to the OS, and the mean over the programs, with 95 % intervals.

load scripts."/common.gp"

set xrange [-0.55 : programs - 0.45]
set yrange [0 : most]
unset xtics
set grid noxtics ytics
set ylabel "relative to the OS"
set style fill solid 0.8 noborder
set key at graph 1,1.1 right top horizontal samplen 1.2 maxrows 1
wide_ = 0.84 / policies
# The two that all is about in black and grey.
colour_of_policy(p) = word(policy_names, p + 1) eq "kmaf" ? "#111111" : word(policy_names, p + 1) eq "oracle" ? "#a9a9a9" : hex(series_colour(p))
at(p) = column(col_program_number) - 0.42 + (p + 0.5) * wide_
of(p) = column(col_policy_number) == p
cut(value) = value > most ? most : value
low(_) = column(col_lo) < 0 ? 0 : column(col_lo)
# A dark stroke on white: it is seen on black bars as well as above them.
set boxwidth wide_ * 0.92
set arrow 1 from programs - 1.5, graph 0 to programs - 1.5, graph 1 nohead back linewidth 1 linecolor rgb "#888888"
plot for [p=0:int(policies) - 1] data using (of(p) ? at(p) : NaN):(cut(column(col_value))) with boxes linecolor rgb colour_of_policy(p) title word(policy_names, p + 1), \
     for [p=0:int(policies) - 1] for [stroke=0:1] data using (of(p) && column(col_lo) < most ? at(p) : NaN):(low(0)):(0):(cut(column(col_hi)) - low(0)) \
       with vectors nohead linewidth 3.6 - 2.2 * stroke linecolor rgb stroke ? "#222222" : "white" notitle, \
     for [p=0:int(policies) - 1] data using (of(p) && column(col_value) > most ? at(p) : NaN):(most):(sprintf("%.1f", column(col_value))) \
       with labels rotate by 90 right offset 0,-0.3 font "sans-serif,9" textcolor rgb "white" notitle, \
     data using (of(0) ? column(col_program_number) : NaN):(0):(strcol(col_program)) with labels offset 0,-1 notitle, \
     1 with lines linewidth 1 dashtype 12 linecolor rgb "#222222" notitle
