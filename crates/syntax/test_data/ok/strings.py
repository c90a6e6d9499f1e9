"plain" 'single' r"raw\d"
b"bytes" br"raw"
x = "a" 'b' f"c{d}"
f""
f"{a}{b!r}{c:>10}{d=}{e = !s:{width}.{prec}}{{literal}}"
f"{x:{y:{z}}}"
f"{d["key"]}" f'{f"{f'{1}'}"}'
f"{lambda_ if x else y:%H:%M}" rf"\d{x}\{y}"
f"""{
    a  # comment
    + b
}
text"""
f"{a, *b}" f"{yield x}" f"{(lambda: 1)}" f"{ {1: 2}[1] }" f"{a != b}" f"{a:=5}"
"\N{DASH}\x41\u0041\
continued"
'''triple "quotes" \''' inside'''
t"template {x!r:>{w}}" tr'\n{y}'
Rb'x' bR"y"
f"\N{LATIN SMALL LETTER A}{a}"
