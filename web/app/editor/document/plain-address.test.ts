import { expect, it } from 'vitest';
import { plainAddress } from './plain-address.ts';

it.each([
  ['https://a.example/b?c=1#d', 'https://a.example/b?c=1#d'],
  ['https://a.example/b?utm_source=x&c=1&fbclid=y', 'https://a.example/b?c=1'],
  ['https://www.google.com/url?q=https://a.example/b%3Fc%3D1%26utm_medium%3Dz&sa=D&usg=w', 'https://a.example/b?c=1'],
  ['https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2Fb&data=05', 'https://a.example/b'],
  ['mailto:office@a.example', 'mailto:office@a.example'],
  ['#_Toc12345', undefined],
  ['file:///C:/Users/ada/plan.docx', undefined],
  ['javascript:alert(1)', undefined],
  ['https://www.google.com/url?q=javascript:alert(1)', undefined],
])('%s means %s', (written, meant) => expect(plainAddress(written)).toBe(meant));
