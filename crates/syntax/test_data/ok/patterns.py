match command.split(), x := 1:
    case [action]: pass
    case [action, *rest] if rest: pass
    case Point(x=0, y=0) | Point(1, 2, z=Color.RED) as p:
        pass
    case {"a": 1, -1.5: b, None: _, A.B: c, **rest}:
        pass
    case -1 | 2 + 3j | "a" "b" | None | True:
        pass
    case (a, b), *_:
        pass
    case (a) | () | (a,):
        pass
    case a.b.c:
        pass
    case _:
        pass

match x,:
    case y: pass
match (a, b):
    case case: pass
match -x:
    case match: pass
match [a]:
    case {}: pass
match lambda: x:
    case []: pass
