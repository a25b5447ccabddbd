import { describe, expect, it, test } from 'vitest';
import { cutAtWord, slugFrom, toAscii } from './slug.ts';

describe('slugFrom', () => {
  test.each([
    ['Plain language, for all!', 'plain-language-for-all'],
    ['정보 보안', 'jeongbo-boan'],
    ['Сајбер безбедност', 'sajber-bezbednost'],
    ['Ђорђе и Љубљана', 'djordje-i-ljubljana'],
    ['đường phố Hà Nội', 'duong-pho-ha-noi'],
    ['Miasto Łódź', 'miasto-lodz'],
    ['Größe und Straße', 'grosse-und-strasse'],
    ["L'œuvre d’État", 'loeuvre-detat'],
    ['الخدمة العامة', 'alkhdmh-alamh'],
    ['サイバーセキュリティ', 'saibasekyuriti'],
    ['がっこう しゅうかん', 'gakkou-shuukan'],
    ['ελληνικά', 'ellinika'],
    ['Ａｄｄｒｅｓｓ １', 'address-1'],
    ['🎉 !?', ''],
  ])('makes an address of %j', (text, expected) => expect(slugFrom(text, 128)).toBe(expected));

  it('separates the words of Japanese and Chinese', () => {
    expect(slugFrom('情報の守り方', 128)).toMatch(/^[a-z]+-no(?:-[a-z]+)+$/);
    expect(slugFrom('东京和北京', 128)).toMatch(/^[a-z]+(?:-[a-z]+)+$/);
  });

  it('is the same for composed and decomposed letters', () => {
    for (const text of ['Đường phố', 'Zażółć', '정보 보안', 'ガイド'])
      expect(slugFrom(text.normalize('NFD'), 128)).toBe(slugFrom(text.normalize('NFC'), 128));
  });

  it('is cut at the end of a word', () => {
    expect(slugFrom('one two three', 9)).toBe('one-two');
    expect(slugFrom('one two three', 7)).toBe('one-two');
    expect(cutAtWord('abcdefgh', 4)).toBe('abcd');
  });
});

test('toAscii leaves ASCII as it is', () => expect(toAscii("What's new_1 - ?")).toBe("What's new_1 - ?"));
