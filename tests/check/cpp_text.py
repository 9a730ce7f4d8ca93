"""Just enough reading of C++ to find includes, words of code, and where functions begin and end.

It reads formatted code (clang-format puts a space before the brace of a body, and none before that of
an initialiser) and is not a parser: the checks that use it have samples of what it must tell apart.
"""

import re

_TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)'
    r'|(?P<raw>R"(?P<delimiter>[^\s()\\]{0,16})\(.*?\)(?P=delimiter)")'
    r'|(?P<string>"(?:\\.|[^"\\\n])*")'
    r"|(?P<number>\b\d[\w']*)"
    r"|(?P<char>'(?:\\.|[^'\\\n])+')",
    re.DOTALL)


def without_comments(text):
    """The text with comments blanked; lines keep their numbers."""
    return _TOKEN.sub(lambda m: _blank(m.group()) if m.group("comment") else m.group(), text)


def code_only(text):
    """The text with comments, the insides of literals and preprocessor lines blanked."""
    def replace(match):
        if match.group("number"):
            return match.group().replace("'", "_")  # 1'000 opens no character
        return _blank(match.group())
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: _blank(m.group()), text,
                  flags=re.MULTILINE)
    return _TOKEN.sub(replace, text)


def raw_strings(text):
    """(line, text) of each raw string literal, comments left out."""
    for match in _TOKEN.finditer(text):
        if match.group("raw"):
            inside = match.group().split("(", 1)[1].rsplit(")", 1)[0]
            yield text.count("\n", 0, match.start()) + 1, inside


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def functions(text):
    """(name, first line, last line) of each function that has a body, lambdas counted in theirs."""
    code = code_only(text)
    found, stack = [], []
    head_start = 0  # where the declaration that a brace would belong to began
    for match in re.finditer(r"[{};]", code):
        at, char = match.start(), match.group()
        if char == "{":
            kind = _kind_of_brace(code[head_start:at], stack)
            stack.append((kind, head_start, at))
            if kind != "value":
                head_start = at + 1
            continue
        if char == "}" and stack:
            kind, start, brace = stack.pop()
            if kind == "function":
                found.append(_describe(code, start, brace, at))
            if kind == "value":
                head_start = start
                continue
        if not (stack and stack[-1][0] == "value"):
            head_start = at + 1
    return found


def _kind_of_brace(head, stack):
    if any(kind in ("function", "inner") for kind, _, _ in stack):
        return "inner"
    if stack and stack[-1][0] == "value":
        return "value"
    head = re.sub(r"\[\[.*?\]\]|alignas\([^)]*\)", " ", head, flags=re.DOTALL)
    stripped = head.rstrip()
    if stripped != head or not stripped:
        words = re.sub(r"^\s*template\s*<.*?>\s*(?=class|struct|union)", "", stripped, flags=re.DOTALL)
        if re.match(r"\s*(inline\s+)?namespace\b|\s*extern\s*$", words):
            return "scope"
        if re.match(r"\s*(typedef\s+)?(class|struct|union|enum)\b[^()]*$", words):
            return "scope"
        if "(" in words and not words.endswith(("=", ",", "(", "return")):
            return "function"
    return "value"


def _describe(code, start, brace, end):
    head = code[start:brace]
    start += len(head) - len(head.lstrip())
    # Access specifiers stand in front of the first member after them.
    label = re.match(r"(?:(?:public|private|protected)\s*:\s*)+", code[start:brace])
    start += label.end() if label else 0
    name = re.search(r"([\w:~]+)\s*\(", code[start:brace])
    return (name.group(1) if name else "?", code.count("\n", 0, start) + 1,
            code.count("\n", 0, end) + 1)
