"""Python without TVMScript: none of the extension's business."""


def forward(x):
    return [value * 2 for value in x]
