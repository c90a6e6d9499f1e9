return 1
break
for a in b:
    def f():
        return lambda: 1
        continue
    class C:
        return
    if a: continue
    else:
        break
else:
    break
def g():
    with a:
        for b in c: break
        else: continue
    class D:
        def h(self):
            while True:
                try: return
                finally: break
    return
if a:
    (yield, 1)
