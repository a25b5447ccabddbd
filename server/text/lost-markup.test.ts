import { expect, test } from 'vitest';
import { findLostMarkup } from './lost-markup.ts';

test.each([
  ['Text with `<video>` in code\n\n<details>\n<summary>x</summary>\n\ny\n\n</details>', []],
  ['x\n\n<video src="https://a.example/v.mp4"><track src="c.vtt"></video>', ['3 media video: https://a.example/v.mp4']],
  ['<audio controls>\n<source src="a.mp3">\n</audio>', ['1 media audio']],
  ['a\n\nb <iframe src="https://a.example"></iframe>', ['3 media iframe: https://a.example']],
  ['<object data="x.swf"><p>old</p></object>', ['1 left-out object: x.swf']],
  ['<form action="/x"><input name="a"><button>Go</button></form>', ['1 left-out form']],
  ['<script>alert("<video>")</script>', ['1 left-out script']],
  ['one\n![x](//cdn.example/a.png)', ['2 left-out image: //cdn.example/a.png']],
  ['![x](data:image/png;base64,AAAA)', ['1 left-out image: data:image/png;base64,AAAA']],
  ['![x](https://cdn.example/a.png)', []],
])('finds what pages do not show in %j', (source, expected) => {
  expect(findLostMarkup(source).map(({ line, kind, what }) => `${line} ${kind} ${what}`)).toEqual(expected);
});
