import { tagsOf } from '#server/text/blocks/quiz-content.ts';
import { TextReader, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from './html-markdown.format.ts';
import { readQuestionFile } from './question-file.format.ts';
import { writeQuestionCsv } from './question-csv.format.ts';
import { decimalOf, QuestionCollector } from './question.policy.ts';

const read = async (text: string, name = 'file') => await readQuestionFile(name, Buffer.from(text));
const questionsOf = async (text: string) => (await read(text)).questions.map(({ question }) => question);
const problemsOf = async (text: string) =>
  (await read(text)).problems.map(({ question, reason, detail, line }) => [line, question, reason, detail]);
const codeOf = async (bytes: Uint8Array) =>
  await readQuestionFile('file', bytes).then(
    () => 'read',
    (error: { code?: string }) => error.code,
  );

async function zipOf(files: Record<string, string>): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter());
  for (const [name, text] of Object.entries(files)) await zip.add(name, new TextReader(text));
  return await zip.close();
}

describe('GIFT', () => {
  const GIFT = `// exported for a colleague
$CATEGORY: $course$/Writing

// question: 12  name: Grant [tag:history] [tag:civil war]
::Grant's tomb::Who is buried in Grant's tomb?{
=Grant #Correct.
~Nobody
~Napoleon #He lies in Paris.
####The tomb is in New York.}

What is 3.141 to one digit? {#3.1:0.05}

::Between::A number {#1..5}

The sun is a star.{T}

[html]Grant is <b>buried</b>.{FALSE#wrong#right}

Two plus two is {=four =4 =%50%for}.

::Many::Which are even?{~%50%2 ~%50%4 ~%-100%3}

::Escaped:: 5 \\= five \\{really\\} \\: yes {=\\=a ~b \\~ c}
`;

  it('reads choice, truth, numbers, short answers, feedback, tags and categories', async () => {
    const questions = await questionsOf(GIFT);
    expect(questions).toMatchObject([
      {
        name: "Grant's tomb",
        type: 'choice',
        tags: ['Writing', 'history', 'civil war'],
        text: "Who is buried in Grant's tomb?",
        feedback: 'The tomb is in New York.',
        options: [
          { text: 'Grant', isRight: true, feedback: 'Correct.' },
          { text: 'Nobody', isRight: false, feedback: '' },
          { text: 'Napoleon', isRight: false, feedback: 'He lies in Paris.' },
        ],
      },
      { type: 'number', answer: '3.1', tolerance: '0.05', tags: ['Writing'] },
      { type: 'number', answer: '3', tolerance: '2' },
      { type: 'true-false', answer: true },
      { type: 'true-false', answer: false, text: 'Grant is **buried**.' },
      { type: 'text', answers: ['four', '4'], text: 'Two plus two is \\_\\_\\_\\_\\_ .' },
      { type: 'choice', options: [{ isRight: true }, { isRight: true }, { isRight: false }] },
      { text: '5 = five {really} : yes', options: [{ text: '=a' }, { text: 'b ~ c' }] },
    ]);
  });

  it('names what it cannot take, by line', async () => {
    const gift = `::Essay::Write.{####Like this.}

::Match::Pair.{=a -> b =c}

::Text only::Nothing to answer.

::Broken::Who {=a

::Later::So?{T}`;
    expect(await problemsOf(gift)).toEqual([
      [3, 'Match', 'syntax', 'c'],
      [5, 'Text only', 'type', 'description'],
      [7, 'Broken', 'syntax', ''],
    ]);
    expect(await questionsOf(gift)).toMatchObject([
      { name: 'Essay', type: 'open', text: 'Write.', feedback: 'Like this.', criteria: [], words: undefined },
      { name: 'Later' },
    ]);
    expect(await problemsOf('::P::Q{=a =%50%b #f}')).toEqual([
      [1, 'P', 'partial-credit', ''],
      [1, 'P', 'feedback', ''],
    ]);
  });

  it('reads Windows line ends, a byte order mark and UTF-16', async () => {
    const text = '\uFEFFSo?{T}\r\n\r\nReally?{F}\r\n';
    expect(await questionsOf(text)).toHaveLength(2);
    expect((await readQuestionFile('f', Buffer.from(text, 'utf16le'))).questions).toHaveLength(2);
  });
});

describe('questions to match and to order', () => {
  const PAIRS = [
    { prompt: 'cat', answer: 'meow', feedback: '' },
    { prompt: 'dog', answer: 'woof', feedback: '' },
  ];

  it('come from each format', async () => {
    expect(await questionsOf('Sounds?{=cat -> meow =dog -> woof ####They speak.}')).toMatchObject([
      { type: 'matching', pairs: PAIRS, others: [], feedback: 'They speak.' },
    ]);
    const moodle = `<quiz><question type="matching"><name><text>A</text></name><questiontext format="html"><text>&lt;p&gt;Sounds?&lt;/p&gt;</text></questiontext>
      <subquestion format="html"><text>&lt;p&gt;cat&lt;/p&gt;</text><answer><text>meow</text></answer></subquestion>
      <subquestion format="html"><text>&lt;p&gt;dog&lt;/p&gt;</text><answer><text>woof</text></answer></subquestion>
      <subquestion format="html"><text></text><answer><text>moo * 2</text></answer></subquestion></question>
      <question type="ordering"><name><text>B</text></name><questiontext format="html"><text>Order</text></questiontext>
      <answer fraction="1.0" format="html"><text>one</text></answer><answer fraction="2.0" format="html"><text>two</text></answer></question></quiz>`;
    expect(await questionsOf(moodle)).toMatchObject([
      { type: 'matching', text: 'Sounds?', pairs: PAIRS, others: ['moo \\* 2'] },
      { type: 'ordering', items: [{ text: 'one' }, { text: 'two' }] },
    ]);
    const choice = (id: string, text: string) =>
      `<simpleAssociableChoice identifier="${id}" matchMax="1">${text}</simpleAssociableChoice>`;
    const match = (values: string) =>
      `<assessmentItem xmlns="x" identifier="i" title="A"><responseDeclaration identifier="R" cardinality="multiple" baseType="directedPair"><correctResponse>${values}</correctResponse></responseDeclaration><itemBody><matchInteraction responseIdentifier="R" shuffle="true" maxAssociations="2"><prompt>Sounds?</prompt><simpleMatchSet>${choice('C', 'cat')}${choice('D', 'dog')}</simpleMatchSet><simpleMatchSet>${choice('W', 'woof')}${choice('M', 'meow')}${choice('O', 'moo')}</simpleMatchSet></matchInteraction></itemBody></assessmentItem>`;
    expect(await questionsOf(match('<value>C M</value><value>D W</value>'))).toMatchObject([
      { type: 'matching', text: 'Sounds?', pairs: PAIRS, others: ['moo'] },
    ]);
    expect(await problemsOf(match('<value>C M</value><value>C W</value><value>D W</value>'))).toMatchObject([
      [1, 'A', 'inexpressible', 'several or no matches'],
    ]);
    const order = (values: string) =>
      `<assessmentItem xmlns="x" identifier="i" title="A"><responseDeclaration identifier="R" cardinality="ordered" baseType="identifier"><correctResponse>${values}</correctResponse></responseDeclaration><itemBody><p>Order</p><orderInteraction responseIdentifier="R"><simpleChoice identifier="T">two</simpleChoice><simpleChoice identifier="O">one</simpleChoice></orderInteraction></itemBody></assessmentItem>`;
    expect(await questionsOf(order('<value>O</value><value>T</value>'))).toMatchObject([
      { type: 'ordering', text: 'Order', items: [{ text: 'one' }, { text: 'two' }] },
    ]);
    expect(await problemsOf(order('<value>O</value>'))).toEqual([
      [1, 'A', 'inexpressible', 'not all items have a place'],
    ]);
    expect(await problemsOf(order('<value>O</value><value>O</value>'))).toEqual([[1, 'A', 'inexpressible', '']]);
    const csv =
      'type,question,option 1,right 1,option 2,right 2,option 3,right 3\nmatching,Sounds?,cat,meow,dog,woof,,moo\nordering,Order,one,,two,,,';
    expect(await questionsOf(csv)).toMatchObject([
      { type: 'matching', pairs: PAIRS, others: ['moo'] },
      { type: 'ordering', items: [{ text: 'one' }, { text: 'two' }] },
    ]);
  });

  it('with gaps come from Moodle and QTI', async () => {
    const cloze = (text: string) =>
      `<quiz><question type="cloze"><name><text>A</text></name><questiontext format="html"><text><![CDATA[${text}]]></text></questiontext></question></quiz>`;
    const text = '<p>In {1:SHORTANSWER:=1998} by {1:SA:=Parliament~%100%the \\} House~%0%king#No}.</p>';
    expect(await questionsOf(cloze(text))).toMatchObject([
      {
        type: 'gaps',
        text: 'In [1] by [2].',
        gaps: [{ answers: ['1998'] }, { answers: ['Parliament', 'the } House'] }],
        isCaseSensitive: false,
      },
    ]);
    expect(await problemsOf(cloze(text))).toEqual([[1, 'A', 'feedback', '']]);
    for (const [written, reason] of [
      ['{1:MULTICHOICE:=a~b}', 'type'],
      ['{1:SA:=a} {1:SAC:=b}', 'inexpressible'],
      ['{1:SA:=a|b}', 'inexpressible'],
      ['{1:SA:a} {1:SA:=b}', 'no-right-answer'],
      ['[1] {1:SA:=a}', undefined],
      [`{1:SA:=${'\\'.repeat(60_000)}`, 'type'],
      ['{1:SA:=a}'.repeat(21), 'inexpressible'],
    ] as const)
      expect((await problemsOf(cloze(written)))[0]?.[2]).toBe(reason);
    const entry = (id: string, answer: string) =>
      `<responseDeclaration identifier="${id}" cardinality="single" baseType="string"><mapping defaultValue="0"><mapEntry mapKey="${answer}" mappedValue="1"/></mapping></responseDeclaration>`;
    const item = `<assessmentItem xmlns="x" identifier="i" title="A">${entry('A', 'York')}${entry('B', 'Avon')}<itemBody><p>From <textEntryInteraction responseIdentifier="A"/> to <textEntryInteraction responseIdentifier="B"/>.</p></itemBody></assessmentItem>`;
    expect(await questionsOf(item)).toMatchObject([
      { type: 'gaps', text: 'From [1] to [2].', gaps: [{ answers: ['York'] }, { answers: ['Avon'] }] },
    ]);
  });

  it('are left out and named beyond twenty parts, with repeated items or a prompt without text', async () => {
    const pairs = Array.from({ length: 10_000 }, (_, at) => `=p${at} -> a${at}`);
    expect(await problemsOf(`::A::Sounds?{${pairs.join(' ')}}`)).toEqual([[1, 'A', 'room', '']]);
    expect(await problemsOf(`::A::Sounds?{${pairs.slice(0, 21).join(' ')}}`)).toEqual([[1, 'A', 'inexpressible', '']]);
    const csv =
      'type,name,question,option 1,right 1,option 2,right 2\nordering,A,Order,one,,one,\nmatching,B,Q,a,,b,c\nmatching,C,Q,a,x,b,x';
    expect((await problemsOf(csv)).map(([line, name, reason]) => [line, name, reason])).toEqual([
      [2, 'A', 'inexpressible'],
      [3, 'B', 'inexpressible'],
      [4, 'C', 'inexpressible'],
    ]);
  });
});

describe('feedback for answers to type', () => {
  it('comes from GIFT, Moodle and a table, also for wrong answers', async () => {
    const remarks = [
      { answer: 'Paris', feedback: 'Yes.' },
      { answer: 'Lyon', feedback: 'That is the second largest.' },
    ];
    const gift = 'Capital?{=Paris#Yes. =Lutetia =%0%Lyon#That is the second largest.}';
    const answer = (fraction: number, text: string, feedback: string) =>
      `<answer fraction="${fraction}" format="moodle_auto_format"><text>${text}</text><feedback format="html"><text>${feedback}</text></feedback></answer>`;
    const moodle = (type: string, ...answers: string[]) =>
      `<quiz><question type="${type}"><name><text>A</text></name><questiontext format="html"><text>Capital?</text></questiontext>${answers.join('')}</question></quiz>`;
    const short = [answer(100, 'Paris', 'Yes.'), answer(100, 'Lutetia', ''), answer(0, 'Lyon', remarks[1]!.feedback)];
    const csv =
      'type,question,answer,option 1,feedback 1,option 2,feedback 2\ntext,Capital?,Paris|Lutetia,Paris,Yes.,Lyon,That is the second largest.';
    for (const text of [gift, moodle('shortanswer', ...short), csv])
      expect(await read(text)).toMatchObject({
        questions: [{ question: { type: 'text', answers: ['Paris', 'Lutetia'], remarks } }],
        problems: [],
      });
    const numbers = [
      { answer: '42', feedback: 'Yes.' },
      { answer: '24', feedback: 'Swapped.' },
    ];
    for (const text of [
      'How many?{#\n\t=42:1#Yes.\n\t=%0%24#Swapped.\n}',
      moodle('numerical', answer(100, '42', 'Yes.'), answer(0, '24', 'Swapped.')),
    ])
      expect(await read(text)).toMatchObject({
        questions: [{ question: { answer: '42', remarks: numbers } }],
        problems: [],
      });
    expect((await read('How many?{#42:1#Yes.}')).questions).toMatchObject([
      { question: { answer: '42', tolerance: '1', remarks: [{ answer: '42', feedback: 'Yes.' }] } },
    ]);
    expect(await problemsOf(moodle('shortanswer', answer(100, 'Paris', ''), answer(0, '*', 'No.')))).toEqual([
      [1, 'A', 'pattern', '*'],
    ]);
  });
});

describe('open questions', () => {
  const essay = (content: string) =>
    `<quiz><question type="essay"><name><text>A</text></name><questiontext format="html"><text>&lt;p&gt;Write.&lt;/p&gt;</text></questiontext>${content}</question></quiz>`;
  const notes = (html: string) => `<graderinfo format="html"><text><![CDATA[${html}]]></text></graderinfo>`;
  const item = (attributes: string, parts: string) =>
    `<assessmentItem xmlns="x" identifier="i" title="A"><responseDeclaration identifier="R" cardinality="single" baseType="string"><correctResponse><value>Dear Ms Rossi</value></correctResponse></responseDeclaration><outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float" normalMaximum="4"/><itemBody><p>Write.</p>${parts}<extendedTextInteraction responseIdentifier="R" ${attributes}/></itemBody></assessmentItem>`;

  it('come from Moodle, with notes for graders as criteria', async () => {
    const listed = `<defaultgrade>5</defaultgrade><maxwordlimit>200</maxwordlimit><generalfeedback format="html"><text>Dear …</text></generalfeedback>${notes('<ul><li>[2] Says <b>when</b></li><li>[1] Is kind</li></ul>')}`;
    expect(await questionsOf(essay(listed))).toMatchObject([
      {
        type: 'open',
        text: 'Write.',
        feedback: 'Dear …',
        points: 3,
        words: 200,
        criteria: [
          { text: 'Says **when**', points: 2 },
          { text: 'Is kind', points: 1 },
        ],
      },
    ]);
    const free = `<defaultgrade>5</defaultgrade>${notes('<p>Look at the date.</p><p>And the name.</p>')}`;
    expect(await questionsOf(essay(free))).toMatchObject([
      { points: 5, words: undefined, criteria: [{ text: 'Look at the date. And the name.', points: 5 }] },
    ]);
    expect(await questionsOf(essay('<defaultgrade>4</defaultgrade>'))).toMatchObject([{ points: 4, criteria: [] }]);
  });

  it('come from QTI, with the rubric of scorers as criteria', async () => {
    const rubric = (view: string) =>
      `<rubricBlock view="${view}"><ul><li>[3] <p>Says when</p></li><li>[1] Is kind</li></ul></rubricBlock>`;
    expect(await questionsOf(item('', rubric('scorer')))).toMatchObject([
      { type: 'open', text: 'Write.', feedback: 'Dear Ms Rossi', points: 4, criteria: [{ points: 3 }, { points: 1 }] },
    ]);
    expect(await questionsOf(item('', rubric('candidate')))).toMatchObject([{ points: 4, criteria: [] }]);
  });

  it('come from a table', async () => {
    const csv = 'type,question,feedback,words,option 1,right 1,option 2,right 2\nopen,Write.,Dear …,80,When,2,Kind,';
    expect(await questionsOf(csv)).toMatchObject([
      { type: 'open', feedback: 'Dear …', words: 80, points: 3, criteria: [{ points: 2 }, { points: 1 }] },
    ]);
  });

  it('name what is not demanded of answers here', async () => {
    const demanding =
      '<minwordlimit>50</minwordlimit><maxwordlimit>many</maxwordlimit><attachmentsrequired>1</attachmentsrequired>';
    expect((await problemsOf(essay(demanding))).map(([, , reason, detail]) => [reason, detail])).toEqual([
      ['requirement', 'minwordlimit 50'],
      ['requirement', 'attachmentsrequired 1'],
      ['requirement', 'many words'],
    ]);
    expect((await problemsOf(item('minStrings="2"', ''))).map(([, , ...rest]) => rest)).toEqual([
      ['requirement', 'min-strings 2'],
    ]);
    expect((await problemsOf(essay(notes(`<ul>${'<li>[60] Long</li>'.repeat(2)}</ul>`))))[0]?.[2]).toBe(
      'inexpressible',
    );
  });
});

describe('Moodle XML', () => {
  const question = (type: string, content: string, name = 'Q') =>
    `<question type="${type}"><name><text>${name}</text></name><questiontext format="html"><text><![CDATA[<p>Which <b>one</b>?</p><p><img src="@@PLUGINFILE@@/a.png" alt="map"></p>]]></text></questiontext>${content}</question>`;
  const quiz = (...questions: string[]) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n${questions.join('\n')}</quiz>`;

  it('reads HTML as Markdown, feedback, tags and the weights of answers', async () => {
    const xml = quiz(
      '<question type="category"><category><text>$course$/top/Rivers</text></category></question>',
      question(
        'multichoice',
        `<generalfeedback format="html"><text>&lt;p&gt;See &lt;a href="https://example.org/a"&gt;here&lt;/a&gt;.&lt;/p&gt;</text></generalfeedback>
         <single>true</single><answer fraction="100" format="html"><text>A &amp;amp; B</text><feedback format="html"><text>Yes</text></feedback></answer>
         <answer fraction="0" format="plain_text"><text>*C*</text><feedback><text></text></feedback></answer>
         <tags><tag><text>water</text></tag></tags>`,
      ),
    );
    expect(await read(xml)).toMatchObject({
      format: 'moodle',
      questions: [
        {
          question: {
            text: 'Which **one**?',
            feedback: 'See [here](<https://example.org/a>).',
            tags: ['Rivers', 'water'],
            options: [
              { text: 'A & B', isRight: true, feedback: 'Yes' },
              { text: '\\*C\\*', isRight: false, feedback: '' },
            ],
          },
        },
      ],
      problems: [{ reason: 'picture', detail: '@@PLUGINFILE@@/a.png', line: 4 }],
    });
  });

  it('reads the other types and names what is lost', async () => {
    const plain = (type: string, content: string, name: string) =>
      `<question type="${type}"><name><text>${name}</text></name><questiontext format="markdown"><text>*Q*</text></questiontext>${content}</question>`;
    const xml = quiz(
      plain(
        'truefalse',
        '<answer fraction="0"><text>true</text></answer><answer fraction="100"><text>false</text></answer>',
        'a',
      ),
      plain(
        'shortanswer',
        '<usecase>1</usecase><answer fraction="100"><text>Oslo</text></answer><answer fraction="100"><text>O*o</text></answer>',
        'b',
      ),
      plain(
        'numerical',
        '<answer fraction="100"><text>3.5</text><tolerance>0.1</tolerance></answer><defaultgrade>2</defaultgrade>',
        'c',
      ),
      plain('matching', '<subquestion><text>one</text><answer><text>1</text></answer></subquestion>', 'd'),
      plain('cloze', '', 'e'),
      plain('numerical', '<answer fraction="100"><text>1e400</text><tolerance>0</tolerance></answer>', 'f'),
    );
    const { questions, problems } = await read(xml);
    expect(questions.map((each) => each.question)).toMatchObject([
      { type: 'true-false', answer: false, text: '*Q*' },
      { type: 'text', answers: ['Oslo'], isCaseSensitive: true },
      { type: 'number', answer: '3.5', tolerance: '0.1', points: 2 },
    ]);
    expect(problems.map(({ question: name, reason, detail }) => [name, reason, detail])).toEqual([
      ['b', 'pattern', 'O*o'],
      ['d', 'few-options', ''],
      ['e', 'type', 'cloze'],
      ['f', 'number', '1e400 ± 0'],
    ]);
  });
});

describe('QTI', () => {
  const item21 = `<?xml version="1.0"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="Capital" adaptive="false" timeDependent="false">
  <responseDeclaration identifier="RESPONSE" cardinality="multiple" baseType="identifier">
    <correctResponse><value>A</value><value>C</value></correctResponse>
  </responseDeclaration>
  <itemBody><p>Look at the text.</p>
    <choiceInteraction responseIdentifier="RESPONSE" maxChoices="0"><prompt>Which?</prompt>
      <simpleChoice identifier="A">One<feedbackInline outcomeIdentifier="F" identifier="A">Good</feedbackInline></simpleChoice>
      <simpleChoice identifier="B"><em>Two</em></simpleChoice>
      <simpleChoice identifier="C">Three</simpleChoice>
    </choiceInteraction></itemBody>
</assessmentItem>`;
  const gap = `<qti-assessment-item identifier="g" title="Gap">
  <qti-response-declaration identifier="R" cardinality="single" base-type="string">
    <qti-correct-response><qti-value>York</qti-value></qti-correct-response>
    <qti-mapping><qti-map-entry map-key="york" mapped-value="0.5"/><qti-map-entry map-key="York" mapped-value="1"/></qti-mapping>
  </qti-response-declaration>
  <qti-item-body><p>Now is the winter of <qti-text-entry-interaction response-identifier="R"/> .</p></qti-item-body></qti-assessment-item>`;

  it('reads items of QTI 2 and 3', async () => {
    expect(await questionsOf(item21)).toEqual([
      {
        name: 'Capital',
        tags: [],
        points: 1,
        hint: '',
        type: 'choice',
        text: 'Look at the text.\n\nWhich?',
        feedback: '',
        options: [
          { text: 'One', isRight: true, feedback: 'Good' },
          { text: '*Two*', isRight: false, feedback: '' },
          { text: 'Three', isRight: true, feedback: '' },
        ],
      },
    ]);
    expect(await read(gap)).toMatchObject({
      questions: [{ question: { type: 'text', answers: ['York'], text: 'Now is the winter of \\_\\_\\_\\_\\_ .' } }],
      problems: [{ reason: 'partial-credit' }],
    });
  });

  it('reads a package with the keywords of its manifest, and names other files and items', async () => {
    const manifest = `<manifest><resources>
      <resource identifier="a" type="imsqti_item_xmlv2p1" href="items/a.xml"><metadata><lom><general><keyword><string>rivers</string></keyword></general></lom></metadata></resource>
      </resources></manifest>`;
    const order = gap.replaceAll('qti-text-entry-interaction', 'qti-order-interaction');
    const bytes = await zipOf({
      'imsmanifest.xml': manifest,
      'items/a.xml': item21,
      'items/b.xml': order,
      'items/broken.xml': '<a><b></a>',
      'pictures/map.png': 'x',
    });
    const { questions, problems } = await readQuestionFile('package.zip', bytes);
    expect(questions).toMatchObject([{ file: 'items/a.xml', question: { tags: ['rivers'] } }]);
    expect(problems.map(({ file, reason, detail }) => [file, reason, detail])).toEqual([
      ['items/b.xml', 'no-right-answer', ''],
      ['items/broken.xml', 'syntax', 'element not closed'],
      ['pictures/map.png', 'file', 'pictures/map.png'],
    ]);
  });
});

describe('CSV', () => {
  it('reads semicolons, quoted line ends and guarded formulas, and names wrong rows', async () => {
    const csv = `type;name;question;option 1;right 1;option 2;right 2;answer\r
choice;A;"First
second";'=1+1;x;Two;;\r
number;B;How many?;;;;;abc\r
matching;C;Pair;;;;;\r
choice;D;Which?;only;x;;;\r
`;
    const { questions, problems } = await read(csv);
    expect(questions).toMatchObject([
      { line: 2, question: { text: 'First\nsecond', options: [{ text: '=1+1', isRight: true }, { text: 'Two' }] } },
    ]);
    expect(problems.map(({ line, reason }) => [line, reason])).toEqual([
      [4, 'number'],
      [5, 'few-options'],
      [6, 'few-options'],
    ]);
  });
});

describe('hostile files', () => {
  const bomb = `<!DOCTYPE quiz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><quiz><question type="truefalse"><name><text>&b;</text></name></question></quiz>`;

  it.each([
    ['entities', bomb],
    ['a foreign file', '<!DOCTYPE quiz SYSTEM "file:///etc/passwd"><quiz/>'],
    ['a late document type', '<quiz><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]></quiz>'],
    ['deep nesting', `<quiz>${'<a>'.repeat(5000)}`],
    ['an element that is not closed', '<quiz><question>'],
    ['two roots', '<quiz/><quiz/>'],
    ['another XML', '<rss></rss>'],
    ['nothing', '  '],
    ['zero bytes', 'a\0b'],
  ])('refuses %s', async (_, text) => {
    expect(await codeOf(Buffer.from(text))).toBe('content.questions_unreadable');
  });

  it('leaves undeclared entities as they are written', async () => {
    const [question] = await questionsOf(
      '<quiz><question type="truefalse"><name><text>&xxe;</text></name><answer fraction="100"><text>true</text></answer></question></quiz>',
    );
    expect(question?.name).toBe('&xxe;');
  });

  it('refuses an archive that unpacks to too much, leaves its folder or is broken', async () => {
    const large = await zipOf({ 'a.xml': ' '.repeat(17 * 1024 * 1024) });
    expect(large.length).toBeLessThan(100_000);
    expect(await codeOf(large)).toBe('content.questions_too_large');
    expect(await codeOf(Buffer.from('PK\u0003\u0004 nothing'))).toBe('content.questions_unreadable');
    expect(await codeOf(Uint8Array.from([0xff, 0x00, 0x80, 0xc3]))).toBe('content.questions_unreadable');
    const zip = new ZipWriter(new Uint8ArrayWriter());
    await zip.add('../../a.xml', new Uint8ArrayReader(Buffer.from('<a/>')));
    expect(await codeOf(await zip.close())).toBe('content.questions_unreadable');
  });

  it('takes neither scripts nor addresses that run them', async () => {
    const [question] = await questionsOf(
      '::X::[html]<p>Hi<script>alert(1)</script> <a href\\="javascript\\:alert(1)">x</a> <iframe src\\="https\\://example.org"></iframe><span onclick\\="a()">y</span></p>{T}',
    );
    expect(question?.text).toBe('Hi x y');
  });

  it.each([
    ['too many options', `Q{${'~a'.repeat(101)} =b}`, 'inexpressible'],
    ['more text than a lesson', `${'word '.repeat(40_000)}{T}`, 'room'],
    ['HTML that nests too deep', `[html]${'<b>'.repeat(200)}{T}`, 'syntax'],
  ])('names a question with %s', async (_, text, reason) => {
    expect((await read(text)).problems.map((problem) => problem.reason)).toEqual([reason]);
  });

  it('names questions beyond the five thousandth unread', async () => {
    const { questions, problems } = await read('So?{T}\n\n'.repeat(5_010));
    expect([questions.length, problems.length, problems[0]?.reason]).toEqual([5000, 10, 'room']);
  });

  it('reads long and unbalanced texts in linear time', async () => {
    const started = performance.now();
    for (const text of [
      '{'.repeat(500_000),
      '='.repeat(500_000),
      '::'.repeat(250_000),
      `Q{${'~%'.repeat(100_000)}}`,
      `Q{=${'#'.repeat(300_000)}}`,
      '\\'.repeat(500_000),
      '"'.repeat(500_000),
      '<a '.repeat(100_000),
      `[html]${'<b>'.repeat(90)}{T}`,
    ])
      await readQuestionFile('f', Buffer.from(text)).catch(() => {});
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('decimalOf', () => {
  it.each([
    ['3.50', '3.5'],
    ['1,5', '1.5'],
    ['1e3', '1000'],
    ['-0', '0'],
    ['.5', '0.5'],
    ['1e-7', '0.0000001'],
    ['1e400', undefined],
    ['12345678901234567890', undefined],
    ['x', undefined],
    ['', undefined],
  ])('%s is %s', (text, expected) => {
    expect(decimalOf(text)).toBe(expected);
  });

  it('keeps each tag once', () => expect(tagsOf(' a, b ,a,, c  d')).toEqual(['a', 'b', 'c d']));
});

describe('a file that could mislead a reader', () => {
  it('names questions unread once the time for a file is over', () => {
    const collector = new QuestionCollector('file', performance.now() - 1);
    collector.take({ line: 3, name: 'A', size: 1 }, () => expect.unreachable('reads after the deadline'));
    expect(collector.problems).toMatchObject([{ line: 3, question: 'A', reason: 'room' }]);
  });

  it('takes no type, format or element for a property of all objects', async () => {
    const file = (type: string) =>
      `<quiz><question type="${type}"><questiontext format="constructor"><text>&lt;constructor>x</text></questiontext><answer fraction="100"><text>a</text></answer></question></quiz>`;
    for (const type of ['constructor', '__proto__', 'toString'])
      expect((await read(file(type))).problems).toMatchObject([{ reason: 'type', detail: type }]);
    expect((await read(file('shortanswer'))).questions).toMatchObject([{ question: { text: 'x' } }]);
  });

  it('reads the tags before one that does not end, and names a question with more than fit its first line', async () => {
    const { questions } = await read('// [tag:a] [tag:b\\]c] [tag:d\nx {T}\n');
    expect(questions).toMatchObject([{ question: { tags: ['a', 'b]c'] } }]);
    expect((await read(`$CATEGORY: ${'a'.repeat(5_000)}\n\nx {T}`)).problems).toMatchObject([
      { reason: 'inexpressible' },
    ]);
  });

  it('deletes no text between tildes that meet', () => {
    expect(htmlToMarkdown('<strong>a ~</strong><strong>~ b</strong><em></em>~ c')).toBe('a \\~~ b~ c');
    expect(htmlToMarkdown('a~<em></em>~b~~c')).toBe(htmlToMarkdown('a~~b~~c'));
  });

  it('keeps paragraphs that a line of spaces separates', async () => {
    const { questions } = await read('type,question,answer\ntext,"a  \nb\n   \nc",x\n');
    expect(questions).toMatchObject([{ question: { text: 'a\\\nb\n\nc' } }]);
  });

  it('guards formulas in a table like any other download, and reads them back', async () => {
    const { questions } = await read('type,question,answer\ntext,"x; =1",a\ntext,\u200b@SUM(A1),b\n');
    const csv = writeQuestionCsv(questions.map(({ question }) => question));
    expect(csv).toContain(`"x;' =1"`);
    expect(csv).toContain("'\u200b@SUM(A1)");
    expect((await read(csv)).questions.map(({ question }) => question)).toEqual(
      questions.map(({ question }) => question),
    );
  });

  it('refuses a package whose manifest is no XML', async () => {
    expect(await codeOf(await zipOf({ 'imsmanifest.xml': '<manifest>' }))).toBe('content.questions_unreadable');
  });
});
