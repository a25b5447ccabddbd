import { expect, test } from 'vitest';
import { extractMentions } from './mentions.ts';

const A = '0190a8b2-1111-7222-8333-444455556666';
const B = '0190a8b2-1111-7222-8333-444455557777';

test.each([
  ['', []],
  [`{{${A}}} {{${B}}} {{${A.toUpperCase()}}}`, [A, B]],
  [`\`{{${A}}}\``, [A]],
  [`{{ ${A} }} {${A}} {{SU:${A}}} {{${A}x}} {{${A.slice(1)}}} ${A}`, []],
  ['{{ "/methods/" | url }} {% x %} {{name}}', []],
])('extractMentions(%j) returns %j', (body, ids) => expect(extractMentions(body)).toEqual(ids));
