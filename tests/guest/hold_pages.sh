# In a guest: the kernel's own balancing still hides pages, but moves none, until `release_pages`. It moves no page to a node
# whose free memory is below the high watermark, where move_pages(2) only needs the low one. Most of the memory is reserved
# for huge pages, because the kernel does not clear them before they are used. Pages still move to node 0, whose DMA zone is
# free.

kib() { sed -n "s/.* $2: *\([0-9]*\) kB/\1/p" /sys/devices/system/node/node$1/meminfo; }

# reserve NODE HUGE_PAGES
reserve() { echo $2 > /sys/devices/system/node/node$1/hugepages/hugepages-2048kB/nr_hugepages; }

# hold_pages NODE...: the nodes to which none may move
hold_pages() {
  held=$* was_factor=$(cat /proc/sys/vm/watermark_scale_factor)
  for node in $held; do
    reserve $node $((($(kib $node MemFree) - $(kib $node MemTotal) * 45 / 100) / 2048))
  done
  echo 3000 > /proc/sys/vm/watermark_scale_factor
}

release_pages() {
  echo $was_factor > /proc/sys/vm/watermark_scale_factor
  for node in $held; do reserve $node 0; done
}
