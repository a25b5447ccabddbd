/** The most characters that the readers accept for one question. */
const SIZE = 128 * 1024;
/** Room for the parts of a question around its hostile text. */
const ROOM = 1024;

const filled = (unit: string, end = '') => unit.repeat(Math.floor((SIZE - ROOM) / unit.length)) + end;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Texts that make a regular expression with nested or adjacent repeats take quadratic time. */
const TEXTS: Readonly<Record<string, string>> = {
  spaces: filled(' ', 'x'),
  tabs: filled('\t', 'x'),
  'lines of spaces': filled('x  \n', 'x'),
  'spaces in a word': `x${filled(' ', 'x')}`,
  'line ends': `x${filled('\n', 'x')}`,
  'no-break spaces': `<b>x${filled('\u00a0', 'x')}</b>`,
  'hard breaks': `x${filled('\\\n', 'x')}`,
  'line elements': `x${filled('<br>', 'x')}`,
  emphasis: filled('<b>a</b> '),
  'emphasised letters': filled('<b>a</b>'),
  asterisks: filled('*'),
  'asterisks with letters': filled('*a _b '),
  backticks: filled('` '),
  'growing backticks': Array.from({ length: 480 }, (_, at) => '`'.repeat(at + 1)).join(' '),
  'code elements': filled('<code>`</code>'),
  'code of backticks': `<pre>${filled('` ')}</pre>`,
  brackets: filled('['),
  'closed brackets': filled('[]'),
  'open links': filled('[a]('),
  'open pictures': filled('!['),
  'picture addresses': filled('![a](/b '),
  'open elements': filled('<a'),
  'open comments': filled('<!--'),
  'open instructions': filled('<?'),
  'open sections': filled('<![CDATA['),
  'open attributes': filled('<a b="'),
  entities: filled('&a'),
  'number entities': filled('&#1'),
  lists: filled('<ul><li>a</ul>'),
  quotations: `${'<blockquote>'.repeat(90)}${'a<br>'.repeat(25_000)}`,
  paragraphs: filled('<p>a'),
  cells: filled('<tr><td>a'),
  'nested lists': `${'<ol><li>'.repeat(45)}${'a<p>'.repeat(30_000)}`,
  'Markdown quotations': filled('>'),
  'Markdown lists': filled('- '),
  'Markdown lines': filled('- a\n'),
  'Markdown tables': `|a|\n|-|\n${filled('|a|\n')}`,
  headings: filled('# a\n'),
  rules: filled('-', 'x'),
  colons: filled(':'),
  'open directives': filled(':a['),
  'block fences': filled(':::a\n'),
  backslashes: filled('\\'),
  addresses: filled('www.a.'),
  'open gaps': filled('{:A:'),
  'open gaps with an escape': filled('{:SA:', '\\'),
  'open short gaps': filled('{1:SA:=a~'),
  gaps: filled('{:SA:=a}'),
  dollars: filled('$a'),
  references: filled('[a]: b\n'),
  footnotes: filled('[^a]'),
  formulas: filled('$$'),
};

const gift = (text: string) => text.replace(/[~=#{}:\\]/g, '\\$&');
const moodle = (type: string, format: string, text: string, rest: string) =>
  `<quiz><question type="${type}"><questiontext format="${format}"><text>${escaped(text)}</text></questiontext>${rest}</question></quiz>`;
const CHOICES =
  '<answer fraction="100" format="plain_text"><text>a</text></answer><answer fraction="0" format="plain_text"><text>b</text></answer>';
const SHORT = '<answer fraction="100"><text>a</text></answer>';
const optionOf = (format: string, text: string) =>
  moodle(
    'multichoice',
    'html',
    'x',
    `<answer fraction="100" format="${format}"><text>${escaped(text)}</text></answer>${CHOICES}`,
  );
const qti = (body: string) =>
  `<assessmentItem title="x"><responseDeclaration identifier="R"><correctResponse><value>a</value></correctResponse></responseDeclaration><itemBody>${body}<textEntryInteraction responseIdentifier="R"/></itemBody></assessmentItem>`;

/** Wraps a hostile text as one question, by reader. */
const READERS: Readonly<Record<string, (text: string) => string>> = {
  'GIFT as written': (text) => text,
  'GIFT comment': (text) => `// ${text.replaceAll('\n', ' ')}\n\nx {=a}`,
  'GIFT in Markdown': (text) => `[markdown]${gift(text).replace(/\n/g, '\\n')} {=a ~b}`,
  'GIFT answers': (text) => `x {=${text} ~b}`,
  'Moodle HTML': (text) => moodle('shortanswer', 'html', text, SHORT),
  'Moodle Markdown': (text) => moodle('shortanswer', 'markdown', text, SHORT),
  'Moodle plain text': (text) => moodle('shortanswer', 'plain_text', text, SHORT),
  'Moodle Markdown option': (text) => optionOf('markdown', text),
  cloze: (text) => moodle('cloze', 'html', text, ''),
  QTI: (text) => qti(`<p>${escaped(text)}</p>`),
  CSV: (text) => `type,question,answer\ntext,"${text.replaceAll('"', '""')}",a\n`,
};

/** Files that only one reader has. */
const FILES: Readonly<Record<string, string>> = {
  'GIFT: open tags': `// ${filled('[tag:')}`,
  'GIFT: open tags in 2 MB': `// ${'[tag:'.repeat(400_000)}\n\nx {=a}`,
  'GIFT: tags in 2 MB': `// ${'[tag:a]'.repeat(290_000)}\n\nx {=a}`,
  'GIFT: escapes in a tag in 2 MB': `// [tag:${'\\a'.repeat(1_000_000)}`,
  'GIFT: open title in 2 MB': `::${'a'.repeat(2_000_000)}`,
  'GIFT: range': `x {#1${filled('.')}\n1}`,
  'GIFT: ranges in lines': `x {#1${filled('..\n')}1}`,
  'GIFT: options': `x {${filled('~a')}=b}`,
  'GIFT: short answers': `x {${filled('=a')}}`,
  'GIFT: pairs': `x {${filled('=a->b ')}}`,
  'GIFT: titles in 2 MB': '::\n'.repeat(650_000),
  'GIFT: questions in 2 MB': 'a{T}\n\n'.repeat(330_000),
  'CSV: columns in 2 MB': `type,question,${'a,'.repeat(900_000)}\n${'gaps,x\n'.repeat(5_000)}`,
  'CSV: matching rows in 2 MB': `type,question\n${'matching,x\n'.repeat(170_000)}`,
  'CSV: quoted': `type,question\n"${filled('""')}`,
  'Moodle XML: questions in 2 MB': `<quiz>${'<question/>'.repeat(180_000)}</quiz>`,
  'Moodle XML: answers': moodle('shortanswer', 'html', 'x', '<answer fraction="100">a</answer>'.repeat(3_500)),
  'Moodle XML: tags': moodle('shortanswer', 'html', 'x', `<tags>${'<tag>a</tag>'.repeat(20_000)}</tags>`),
  'QTI: gaps': qti('<textEntryInteraction responseIdentifier="R"/>'.repeat(5_000)),
  'QTI: elements': qti('<b>a</b>'.repeat(60_000)),
  'QTI: lists': qti('<ul><li>a</li></ul>'.repeat(30_000)),
  'QTI: emphasis in emphasis': qti(`${'<b>'.repeat(90)}${'a<i>b</i> '.repeat(20_000)}${'</b>'.repeat(90)}`),
};

/** Files of at most 2 MB that keep a reader with superlinear parts busy, by reader and by what they consist of. */
export function* hostileFiles(reader: string): Generator<{ name: string; text: string }> {
  const fileOf = READERS[reader];
  if (fileOf) for (const [name, text] of Object.entries(TEXTS)) yield { name, text: fileOf(text) };
  else for (const [name, text] of Object.entries(FILES)) yield { name, text };
}

export const HOSTILE_READERS: readonly string[] = [...Object.keys(READERS), 'one reader only'];
