"""The words that synthetic skills are made of: prose, Chinese prose, and lines of code in the usual languages."""

from __future__ import annotations

VERBS = (
    "review", "check", "build", "plan", "draft", "compare", "convert", "extract", "summarise", "deploy",
    "measure", "profile", "debug", "refactor", "translate", "schedule", "audit", "migrate", "document",
    "validate", "generate", "inspect", "monitor", "research", "publish", "import", "export", "clean",
    "test", "rank",
)  # fmt: skip
NOUNS = (
    "report", "invoice", "pipeline", "schema", "contract", "dashboard", "release", "module", "service",
    "database", "calendar", "manuscript", "dataset", "workflow", "endpoint", "template", "survey",
    "budget", "incident", "backlog", "changelog", "notebook", "figure", "slide", "glossary", "interface",
    "cluster", "ledger", "archive", "forecast", "roadmap", "transcript", "playlist", "inventory",
    "recipe", "syllabus", "proposal", "benchmark",
)  # fmt: skip
ADJECTIVES = (
    "short", "stable", "careful", "public", "weekly", "strict", "shared", "local", "open", "simple",
    "fast", "broken", "nested", "regional", "daily", "typed", "visual", "monthly", "quiet", "plain",
    "deep", "early", "late", "narrow", "wide",
)  # fmt: skip
OPENINGS = (
    "Start with the", "Never change the", "Ask before you touch the", "Read the whole", "Compare it with the",
    "Write down the", "Keep the", "Stop when the", "Say clearly which", "Prefer the", "Look for the", "Name the",
)  # fmt: skip
ENDINGS = (
    "before anything else happens.", "and note what is missing.", "so that the reader can check it.",
    "in the order given above.", "unless the user asks for more.", "and explain the choice in one sentence.",
    "with a link to its source.", "even where it looks right.", "as soon as the first test passes.",
    "but leave its comments alone.", "because others depend on it.", "when two of them disagree.",
)  # fmt: skip
CHINESE = (
    "先阅读全部材料，再回答用户的问题。", "每一步都要写明依据。", "不要修改原始文件。", "遇到不确定的地方，请先提问。",
    "把结果整理成表格，并附上来源。", "检查数字是否前后一致。", "用简洁的语言说明结论。", "翻译时保留专有名词。",
    "运行脚本之前先备份数据。", "如果测试失败，请给出完整的错误信息。", "按重要程度排列建议。",
    "最后列出仍然缺少的内容。",
)  # fmt: skip

LANGUAGES: dict[str, tuple[str, ...]] = {
    "bash": (
        '{a}_dir="$HOME/{b}/{c}"', 'for {a} in $(ls "{b}"); do', '  echo "{a}: ${{{b}}}" | sort -u',
        "done", "git log --since={n}.days -- {a}/{b}.md", "grep -rn '{a}' src/{b} | wc -l",
        "if [ -f {a}.json ]; then", "  python3 scripts/{b}.py --{c} {n}", "fi", "# {a} the {b}",
        "export {a}_{b}={n}",
    ),
    "python": (
        "def {a}_{b}({c}: str, limit: int = {n}) -> list[str]:", '    """{a} every {b} of the {c}."""',
        "    rows = [row.strip() for row in {c}.splitlines() if row]",
        "    return sorted(rows, key=len)[:limit]", "import json, {a}",
        'with open(f"{b}-{{{a}}}.json", encoding="utf-8") as file:',
        '    {a} = json.load(file)["{b}"]  # {c}', "class {a}{b}(Exception):", "    {c}: int = {n}",
        'print(f"{a} {{{b}!r}} of {n}")', 'assert {a} is not None, "no {b}"',
    ),
    "typescript": (
        "export interface {a}{b} {{", "  {c}: string;", "  {a}?: number;", "}}",
        "export async function {a}(input: {b}[], max = {n}): Promise<void> {{",
        "  const {c} = input.filter((row) => row.{a} !== null);",
        "  await fetch(`/api/{a}/${{{c}.length}}`);", "type {a} = {{ {b}: '{c}' | 'other' }};",
        "// {a} the {b}", "const {a} = new Map<string, {b}>();",
    ),
    "javascript": (
        "const {a} = require('./{b}');", "module.exports = {{ {a}, {b}: {n} }};",
        "{a}.on('{b}', (error) => {{", "  if (error) throw new Error(`{c} failed: ${{error}}`);", "}});",
        "let {a} = {b} ?? {n}; // {c}",
    ),
    "json": (
        "{{", '  "{a}": "{b}",', '  "{c}": {n},', '  "{a}-{b}": ["{c}", "{b}", null],',
        '  "{b}": {{"{a}": true, "{c}": {n}.5}}', "}}",
    ),
    "yaml": (
        "{a}:", "  {b}: {c}", "  - name: {a} {b}", "    limit: {n}", '{a}-{b}: "{c}"  # {a}',
        "  {c}: [{a}, {b}]",
    ),
    "sql": (
        "SELECT {a}.id, count(*) AS {b}", "FROM {a} JOIN {c} ON {c}.{a}_id = {a}.id",
        "WHERE {b} > {n} AND {c} IS NOT NULL", "GROUP BY {a}.id ORDER BY {b} DESC LIMIT {n};",
        "CREATE INDEX idx_{a}_{b} ON {c} ({a}, {b});", "-- {a} the {b}",
    ),
    "go": (
        "func {a}({b} string, {c} int) (string, error) {{", '\tif {b} == "" {{',
        '\t\treturn "", fmt.Errorf("{a}: %w", err{c})', "\t}}", "\t{c} := make(map[string]int, {n})",
        "\treturn strings.ToLower({b}), nil", "}}", "// {a} the {b}",
    ),
    "java": (
        "public final class {a}{b} {{", "    private final List<String> {c} = new ArrayList<>({n});",
        "    public Optional<String> {a}(String {b}) {{",
        "        return {c}.stream().filter(x -> x.equals({b})).findFirst();", "    }}", "}}",
        "    // {a} the {b}",
    ),
    "rust": (
        "pub fn {a}({b}: &str) -> Result<usize, Error> {{",
        "    let {c}: Vec<_> = {b}.lines().take({n}).collect();", "    Ok({c}.len())", "}}",
        "#[derive(Debug, Clone)]", "struct {a}{b} {{ {c}: Option<String> }}",
    ),
    "css": (
        ".{a}-{b} {{", "  margin: {n}px auto;", "  color: var(--{c});", "}}",
        "@media (min-width: {n}px) {{ .{a} {{ display: grid }} }}",
    ),
    "text": (
        "{a} -> {b} -> {c}", "  {n}  {a} {b}", "[{a}] {b}: {c}", "{a}/", "  {b}.md",
    ),
}  # fmt: skip
"""Lines of each language; ``{a}``, ``{b}``, ``{c}`` are words and ``{n}`` a number."""

LANGUAGE_MIX = (
    *("bash",) * 9, *("python",) * 8, *("typescript",) * 5, *("json",) * 5, *("yaml",) * 4, *("javascript",) * 3,
    *("text",) * 3, *("sql",) * 2, "go", "java", "rust", "css",
)  # fmt: skip
"""How often real skills use each language, in about 43 parts."""

COMMON_BLOCKS = (
    ("bash", "npm install\n"), ("bash", "npm test\n"), ("bash", "pip install -r requirements.txt\n"),
    ("bash", "git status\n"), ("bash", "python3 -m venv .venv\nsource .venv/bin/activate\n"), ("json", "{}\n"),
    ("text", "SKILL.md\nreferences/\nscripts/\n"), ("bash", "docker compose up -d\n"),
)  # fmt: skip
"""Blocks that many skills share word for word."""
