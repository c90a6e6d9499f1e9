if a:
	if b:
		x
	# odd comment
	y

x = [
1,

  # c
2]
z = 1 + \
  2
if x:
   \
   pass
\

last = 1  # no line end