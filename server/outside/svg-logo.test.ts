import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { logoPicture, textPicture } from './picture.ts';
import { cleanSvg } from './svg-logo.policy.ts';

const OPEN = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 20 10">';
const around = (inner: string) => `${OPEN}${inner}</svg>`;
const clean = (svg: string) => cleanSvg(Buffer.from(svg));
const draw = async (svg: string) => await logoPicture(Buffer.from(svg), 100);

const HOSTILE: [string, string][] = [
  ['a script', around('<script>alert(1)</script>')],
  ['a script in another case', around('<SCRIPT>alert(1)</SCRIPT>')],
  [
    'a script with a prefix of its own',
    around('<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script><text>a</text>'),
  ],
  ['a handler', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ['a handler of a shape', around('<rect width="1" height="1" ONCLICK="alert(1)"/>')],
  ['foreign content', around('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>')],
  ['a picture of another site', around('<image href="https://evil.example/a.png"/>')],
  ['a picture in itself', around('<image xlink:href="data:image/png;base64,AAAA"/>')],
  ['a local file', around('<image href="file:///etc/passwd"/>')],
  ['a drawing of another site', around('<use href="https://evil.example/a.svg#a"/>')],
  ['a drawing in an address', around('<use xlink:href="data:image/svg+xml,x#a"/>')],
  ['a link', around('<a href="javascript:alert(1)"><rect width="1" height="1"/></a>')],
  [
    'an animation',
    around('<rect width="1" height="1"><animate attributeName="href" values="javascript:alert(1)"/></rect>'),
  ],
  ['a fill of another site', around('<rect fill="url(https://evil.example/a)" width="1" height="1"/>')],
  ['a style with an address', around('<rect style="fill:url( \'//evil.example\' )" width="1" height="1"/>')],
  ['a sheet with an import', around('<style>@import "https://evil.example/a.css";</style>')],
  ['a sheet with an address', around('<style>rect{fill:url(https://evil.example/a)}</style>')],
  ['a sheet with an escape', around('<style>rect{fill:u\\72l(https://evil.example/a)}</style>')],
  ['a sheet with an entity', around('<style>rect{fill:&#117;rl(https://evil.example/a)}</style>')],
  ['a sheet in CDATA', around('<style><![CDATA[rect{fill:url(//evil.example)}]]></style>')],
  ['a filter', around('<filter id="f"><feImage href="#a"/></filter>')],
  ['an entity', `<!DOCTYPE svg [<!ENTITY a "b">]>${around('<title>&a;</title>')}`],
  ['an entity of a file', `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${around('<title>&a;</title>')}`],
  ['a document type with declarations', `<!DOCTYPE svg [ ]>${around('')}`],
  ['a style sheet of another site', `<?xml-stylesheet href="https://evil.example/a.css"?>${around('')}`],
  ['an instruction', `${OPEN}<?php echo 1 ?></svg>`],
  ['HTML', '<html><body>hello</body></html>'],
  ['HTML around a drawing', `<html>${around('')}</html>`],
  ['a drawing inside of another namespace', '<svg xmlns="http://www.w3.org/1999/xhtml"><rect/></svg>'],
  ['no namespace', '<svg width="5" height="5"/>'],
  ['two drawings', around('') + around('')],
  ['text, whose font the server may not have', around('<text y="9">Ministry</text>')],
  ['nothing', ''],
  ['deep nesting', around('<g>'.repeat(500) + '</g>'.repeat(500))],
  ['very many shapes', around('<g/>'.repeat(20_000))],
];

describe('an SVG logo', () => {
  it.each(HOSTILE)('is refused with %s', async (_, svg) => {
    expect(clean(svg)).toBeUndefined();
    expect(await draw(svg)).toBeUndefined();
  });

  it('is refused in other encodings and when it is compressed', async () => {
    expect(cleanSvg(Buffer.from(around(''), 'utf16le'))).toBeUndefined();
    const { gzipSync } = await import('node:zlib');
    expect(await logoPicture(gzipSync(around('<rect width="9" height="9"/>')), 100)).toBeUndefined();
  });

  it('keeps shapes, gradients and styles, without the notes of drawing programs', () => {
    const cleaned = clean(`<?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
      <!-- a note -->
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/ns" inkscape:version="1" data-x="1" viewBox="0 0 9 9">
        <metadata><rdf:RDF>notes</rdf:RDF></metadata><inkscape:grid><script>alert(1)</script></inkscape:grid>
        <defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs>
        <style>.b{stroke:url(#a)}</style>
        <rect id="r" class="b" fill="url('#a')" width="9" height="9"/><use xlink:href="#r"/>
      </svg>`);
    expect(cleaned).toContain('<linearGradient id="a">');
    expect(cleaned).toContain('.b{stroke:url(#a)}');
    expect(cleaned).toContain('<use href="#r">');
    for (const gone of ['inkscape', 'script', 'notes', 'data-x', 'DOCTYPE', 'metadata'])
      expect(cleaned).not.toContain(gone);
  });

  it('becomes a picture with its longer edge at the asked size', async () => {
    const small = await draw(around('<circle cx="10" cy="5" r="5" fill="#0b6e6e"/>'));
    expect(small).toMatchObject({ width: 100, height: 50 });
    expect((await sharp(small!.data).metadata()).format).toBe('webp'); // drawn above
    const huge = await draw(
      '<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"><rect width="9" height="9"/></svg>',
    );
    expect([undefined, 100]).toContain(huge?.width);
  });

  it('ends only its own drawing when it multiplies itself', async () => {
    const level = (at: number) => `<g id="l${at}">${`<use href="#l${at - 1}"/>`.repeat(10)}</g>`;
    const laughs = around(
      `<rect id="l0" width="1" height="1"/>${Array.from({ length: 12 }, (_, at) => level(at + 1)).join('')}`,
    );
    await draw(laughs);
    expect(await draw(around('<rect width="9" height="9"/>'))).toMatchObject({ width: 100 });
  });

  it('is no picture of a text or a profile', async () => {
    expect(await textPicture(Buffer.from(around('<rect width="9" height="9"/>')), 100)).toBeUndefined();
  });
});
