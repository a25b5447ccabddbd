const word = (body: string) =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {margin:0cm; font-size:11pt;} --></style>
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]--></head>
<body lang=EN-GB style='tab-interval:36.0pt'><!--StartFragment-->${body}<!--EndFragment--></body></html>`;

const item = (mark: string, level: number, text: string) =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:36.0pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-bidi-font-family:Symbol'><span style='mso-list:Ignore'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`;

const docs = (body: string) =>
  `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-0b1c2d3e">${body}</b><br class="Apple-interchange-newline">`;

/** Fragments as programs put them on the clipboard, and the Markdown that they mean. */
export const PASTES: [name: string, html: string, markdown: string][] = [
  [
    'a text of Word',
    word(`<h2><a name="_Toc1"></a><span lang=EN-GB style='mso-fareast-language:EN-US'>Who decides<o:p></o:p></span></h2>
<p class=MsoNormal><span style='color:#1F4E79'>We write <b style='mso-bidi-font-weight:normal'>short</b> and
<i style='mso-bidi-font-style:normal'>plain</i> letters.<span style='mso-spacerun:yes'>&nbsp;&nbsp; </span>See
<a href="https://a.example/b?utm_source=news&amp;c=1"><span style='color:blue'>the rules</span></a>.<o:p></o:p></span></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoNormal>Next<span class=MsoCommentReference><span style='font-size:8.0pt'><a class=msocomanchor href="#_msocom_1">[A1]</a></span></span> one</p>
<div style='mso-element:comment-list'><div style='mso-element:comment'><p class=MsoCommentText>A secret remark</p></div></div>`),
    '## Who decides\n\nWe write **short** and *plain* letters. See [the rules](https://a.example/b?c=1).\n\nNext one',
  ],
  [
    'lists of Word',
    word(
      item('·', 1, 'First') +
        item('o', 2, 'Inner <b>bold</b>') +
        item('·', 1, 'Second') +
        `<p class=MsoNormal>Between</p>` +
        item('1.', 1, 'One') +
        item('2.', 1, 'Two'),
    ),
    '- First\n  - Inner **bold**\n- Second\n\nBetween\n\n1. One\n2. Two',
  ],
  [
    'a table of Word',
    word(`<table class=MsoTableGrid border=1 style='border-collapse:collapse;mso-yfti-tbllook:1184'><tr style='mso-yfti-irow:0'>
<td width=100 valign=top style='border:solid'><p class=MsoNormal><b>Who</b><o:p></o:p></p></td><td><p class=MsoNormal>What | when</p></td></tr>
<tr><td colspan=2><p class=MsoNormal>Ada</p><p class=MsoNormal>Bo</p></td></tr></table><p class=MsoNormal>After</p>`),
    '| **Who** | What \\| when |\n| --- | --- |\n| Ada Bo |  |\n\nAfter',
  ],
  [
    'a text of Google Docs',
    docs(`<h1 dir="ltr" style="line-height:1.38"><span style="font-size:20pt;font-weight:400">Title</span></h1>
<p dir="ltr"><span style="font-weight:400">Plain </span><span style="font-weight:700">bold</span><span style="font-weight:400">, </span><span style="font-style:italic">leaning</span><span> and </span><span style="text-decoration:line-through">gone</span><span> </span><a href="https://www.google.com/url?q=https://a.example/x&amp;sa=D&amp;source=editors" style="text-decoration:none"><span style="color:#1155cc">there</span></a></p><br>
<ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>One</span></p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span>Inner</span></p></li></ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>Two</span></p></li></ul>`),
    '# Title\n\nPlain **bold**, *leaning* and ~~gone~~ [there](https://a.example/x)\n\n- One\n  - Inner\n- Two',
  ],
  [
    'a page with hostile parts',
    '<div onclick="x()"><p style="position:fixed">A<iframe src="https://b.example"></iframe><a href="javascript:alert(1)">link</a></p><div>B</div>C<span hidden>no</span></div><svg onload="x()"><text>no</text></svg><object data="x">no</object>',
    'Alink\n\nB\n\nC',
  ],
];
