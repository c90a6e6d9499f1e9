größe = 1
变量 = größe
ª·b = _x1
