"""How long files and functions may be."""

import ast

import cpp_text
from tree import check, listed_exceptions

FILE_LIMIT = 600
FUNCTION_LIMIT = 70
CODE = (".cc", ".h", ".py", ".sql", ".ts", ".sh", ".cmake")

# path -> why the file may be longer. Only tables: a long file of code is split.
LONG_FILES = {}
# "path function" -> why the function may be longer.
LONG_FUNCTIONS = {}

_LONG_BODY = "".join(f"  f({i});\n" for i in range(70))


@check("file-length", bad=[
    ({"src/base/a.cc": "int x;\n" * 601}, "601 lines"),
    ({"tests/a.py": "x = 1\n" * 601}, "601 lines"),
], good=[{"src/base/a.cc": "int x;\n" * 600, "examples/acme/bill.csv": "1\n" * 900}])
def file_length(tree):
    """No file of code has more than 600 lines."""
    used = set()
    for path in tree.paths("", CODE):
        count = len(tree.lines(path))
        if count > FILE_LIMIT:
            used.add(path)
            if path not in LONG_FILES:
                yield f"{path}: {count} lines; split it (limit {FILE_LIMIT})"
    if tree.exists("tests/check/sizes.py"):
        yield from listed_exceptions("file-length", LONG_FILES, used)


@check("function-length", bad=[
    ({"src/base/a.cc": "namespace tare {\nint f(int x) {\n" + _LONG_BODY + "}\n}\n"}, "'f' has 72 lines"),
    ({"src/base/a.cc": "A::A(int b)\n    : b_{b}, c_(b) {\n" + _LONG_BODY + "}\n"}, "'A::A' has 73 lines"),
    ({"src/base/a.h": "struct S : T {\n  int x{1};\n public:\n  template <class U>\n"
                      "  auto g(U u) const -> int {\n" + _LONG_BODY + "  }\n};\n"}, "'g' has 73 lines"),
    ({"src/base/a_test.cc": "TEST(A, B) {\n" + _LONG_BODY + "}\n"}, "'TEST' has 72 lines"),
    ({"src/base/a.cc": "void f() {\n  g([](int x) {\n" + _LONG_BODY + "  });\n}\n"}, "'f' has 74 lines"),
    ({"src/base/a.cc": 'void f() {\n  g("}", \'}\', 1\'000);  // }\n' + _LONG_BODY + "}\n"},
     "'f' has 73 lines"),
    ({"src/base/a.cc": "struct R f(int x) {\n" + _LONG_BODY + "}\n"}, "'f' has 72 lines"),
    ({"tools/a.py": "def f():\n" + "    g()\n" * 70}, "'f' has 71 lines"),
], good=[
    {"src/base/a.cc": "int f() {\n" + "  g();\n" * 68 + "}\n"},
    {"src/base/a.cc": "constexpr Row kTable[] = {\n" + "    {1, f(2)},\n" * 100 + "};\n"},
    {"src/base/a.cc": "std::vector<int> kTable{\n" + "    {1, f(2)},\n" * 100 + "};\n"},
    {"src/base/a.h": "class A {\n" + " int f() { return 1; }\n" * 100 + "};\n"},
    {"src/base/a.h": "enum class E : uint8_t {\n" + " kA,\n" * 100 + "};\n"},
    {"src/base/a.cc": 'const char* kText = R"(\n' + "{(\n" * 100 + ')";\nint f() {\n}\n'},
    {"src/base/a.h": "#define F(x) \\\n  do { \\\n" + "    x; \\\n" * 100 + "  } while (0)\nint f();\n"},
    {"tools/a.py": "def f():\n" + "    g()\n" * 69},
])
def function_length(tree):
    """No function has more than 70 lines, its signature included."""
    used = set()
    for path in tree.paths("", (".cc", ".h", ".py")):
        for name, first, last in _functions(tree, path):
            if last - first + 1 > FUNCTION_LIMIT:
                used.add(f"{path} {name}")
                if f"{path} {name}" not in LONG_FUNCTIONS:
                    yield (f"{path}:{first}: '{name}' has {last - first + 1} lines "
                           f"(limit {FUNCTION_LIMIT})")
    if tree.exists("tests/check/sizes.py"):
        yield from listed_exceptions("function-length", LONG_FUNCTIONS, used)


def _functions(tree, path):
    if not path.endswith(".py"):
        return cpp_text.functions(tree.text(path))
    return [(node.name, node.lineno, node.end_lineno) for node in ast.walk(ast.parse(tree.text(path)))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
