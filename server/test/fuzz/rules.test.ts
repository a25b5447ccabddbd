import { posix } from 'node:path';
import { Email } from '@officium/contract/common';
import { cleanName } from '@officium/contract/learner';
import { findRichTextFault } from '@officium/contract/rich-text';
import { chainOf, isLocale, LOCALES } from '@officium/i18n/locales';
import { negotiateLocale } from '@officium/i18n/negotiate';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { readToken, writeToken } from '#server/areas/admin/continuation-token.policy.ts';
import { safeRedirect } from '#server/areas/auth/redirect.policy.ts';
import { slugBase, slugCandidates } from '#server/areas/articles/article-slug.policy.ts';
import { imageCandidates } from '#server/areas/catalogue/image-path.policy.ts';
import { type AutoApprovalRule, matchRule } from '#server/areas/people/auto-approval.policy.ts';
import { addressKey } from '#server/limits/limits.ts';
import { isFetchable, isPublicAddress } from '#server/outside/public-address.ts';
import { pickText } from '#server/text/localised.ts';
import { extractMentions } from '#server/text/mentions.ts';
import { AWKWARD_TEXTS, awkwardText, awkwardValue, RawJson, toJson } from './awkward.ts';

const RUNS = 60 * Number(process.env['FUZZ_RUNS'] ?? 16);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

function holds<T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void): void {
  fc.assert(
    fc.property(arbitrary, (value) => void property(value)),
    { seed: SEED, numRuns: RUNS },
  );
}

const anyText = fc.oneof(awkwardText, fc.string({ unit: 'binary' }));
/** Text that the API accepts. */
const storable = anyText.map((text) => text.toWellFormed().replaceAll('\0', ''));
/** Texts combined from meaningful pieces. */
const madeOf = (...pieces: string[]) =>
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 10 })
    .map((all) => all.join(''));

describe('the slug of an article', () => {
  it('consists of lower-case ASCII words and a number, short enough for a path', () => {
    holds(
      storable.map((title) => [...title].slice(0, 65).join('')),
      (title) => {
        const base = slugBase(title);
        expect(base).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
        expect(slugBase(base)).toBe(base);
        for (const slug of slugCandidates(title)) {
          expect(slug).toMatch(/-\d+$/);
          expect(slug.length).toBeLessThanOrEqual(256);
          expect(decodeURIComponent(encodeURIComponent(slug))).toBe(slug);
        }
      },
    );
  });
});

describe('a continuation token', () => {
  const key = Buffer.alloc(32, 7);
  const place = fc.record({ joinedMicros: fc.bigInt({ min: 0n, max: 2n ** 60n }).map(String), userId: fc.uuid() });

  it('decodes to what was encoded', () => {
    holds(place, (written) => expect(readToken(key, writeToken(key, written))).toEqual(written));
  });

  it('is rejected when a letter changes', () => {
    holds(fc.tuple(place, fc.nat(), fc.string({ minLength: 1, maxLength: 2 })), ([written, at, letters]) => {
      const token = writeToken(key, written);
      const cut = at % token.length;
      for (const other of [token.slice(0, cut) + letters + token.slice(cut + 1), token.slice(0, cut), token + letters])
        if (other !== token) expect(readToken(key, other)).toBeUndefined();
      expect(readToken(Buffer.alloc(32, 8), token)).toBeUndefined();
    });
  });

  it('is rejected when it is arbitrary text', () => {
    holds(anyText, (text) => expect(readToken(key, text)).toBeUndefined());
  });
});

describe('a text in several languages', () => {
  it('is shown in the first language of the chain that has it, and never left out', () => {
    const texts = fc.dictionary(
      fc.oneof(fc.constantFrom(...LOCALES), fc.constantFrom(...AWKWARD_TEXTS)),
      fc.constantFrom('', 'a', 'b'),
    );
    holds(fc.tuple(texts, fc.constantFrom(...LOCALES)), ([map, locale]) => {
      const written = LOCALES.filter((candidate) => Object.hasOwn(map, candidate) && map[candidate] !== '');
      const expected = chainOf(locale).find((candidate) => written.includes(candidate));
      const shown = pickText(map, locale);
      if (expected) expect(shown).toEqual({ text: map[expected], locale: expected });
      else if (written.length > 0) expect(written).toContain(shown.locale);
      else expect(shown).toEqual({ text: '', locale });
    });
  });

  it('is shown in a supported language for every Accept-Language header', () => {
    const wish = fc.option(
      fc.oneof(anyText, madeOf('fr', 'en', '-', 'CA', ';q=', '0.5', ',', '*', 'sr', 'Cyrl', ' ')),
      { nil: undefined },
    );
    holds(fc.record({ cookie: wish, acceptLanguage: wish }), (wishes) =>
      expect(isLocale(negotiateLocale(wishes))).toBe(true),
    );
  });
});

describe('mentions', () => {
  it('are found in order, each once, within any text', () => {
    const between = anyText.filter(
      (text) => extractMentions(`${text}{{`).length === 0 && !/\{\{[0-9a-f-]*$/i.test(text),
    );
    holds(fc.array(fc.tuple(between, fc.uuid(), fc.boolean()), { maxLength: 6 }), (parts) => {
      const body = parts.map(([text, id, isUpper]) => `${text}{{${isUpper ? id.toUpperCase() : id}}}`).join('');
      expect(extractMentions(body)).toEqual([...new Set(parts.map(([, id]) => id))]);
    });
  });
});

describe('a redirect target', () => {
  const rules = {
    publicUrl: 'https://learn.example',
    trustedRedirects: ['https://partner.example', 'http://localhost:4000'],
  };
  const targets = fc.oneof(
    anyText,
    fc.webUrl(),
    madeOf(
      '/',
      '//',
      '\\',
      '%2f',
      '%5C',
      '%252f',
      '..',
      '.',
      '@',
      ':',
      '?',
      '#',
      '\t',
      '\n',
      '\u00a0',
      '／',
      '。',
      'https:',
      'HTTP://',
      'javascript:',
      'evil.example',
      'learn.example',
      'partner.example',
      'localhost:4000',
      'user:pw@',
      '[::1]',
      '%09',
      '%0a',
      'a',
    ),
  );

  it('is ours or trusted as a browser parses it, and stable when checked again', () => {
    holds(targets, (target) => {
      const to = safeRedirect(target, rules);
      const url = new URL(to, rules.publicUrl);
      expect([rules.publicUrl, ...rules.trustedRedirects]).toContain(url.origin);
      expect(url.username + url.password).toBe('');
      if (to.startsWith('/')) expect(to).not.toMatch(/^\/[/\\]|[\p{Cc}\s]/u);
      else expect(rules.trustedRedirects).toContain(url.origin);
      expect(safeRedirect(to, rules)).toBe(to);
    });
  });
});

describe('a public internet address', () => {
  // https://www.iana.org/assignments/iana-ipv4-special-registry, and multicast
  const SPECIAL = [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ].map((range) => ipaddr.IPv4.parseCIDR(range));
  const v4 = fc
    .oneof(
      fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(
        fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 223, 224, 240, 255),
        fc.constantFrom(0, 15, 16, 18, 19, 31, 32, 51, 63, 64, 127, 128, 168, 254),
        fc.constantFrom(0, 2, 100, 113, 255),
        fc.nat(255),
      ),
    )
    .map((bytes) => bytes.join('.'));
  const group = fc.nat(0xffff).map((value) => value.toString(16));

  it('is not in a special range, even when embedded in IPv6', () => {
    holds(v4, (text) => {
      const isSpecial = SPECIAL.some((range) => ipaddr.IPv4.parse(text).match(range));
      if (isSpecial) expect(isPublicAddress(text)).toBe(false);
      expect(isPublicAddress(`::ffff:${text}`)).toBe(isPublicAddress(text));
      expect(isPublicAddress(`64:ff9b::${text}`)).toBe(isPublicAddress(text));
      expect(isFetchable(new URL(`http://${text}/`), [])).toBe(isPublicAddress(text));
      expect(
        isFetchable(
          new URL(
            `http://${ipaddr.IPv4.parse(text)
              .toByteArray()
              .reduce((sum, byte) => sum * 256 + byte, 0)}/`,
          ),
          [],
        ),
      ).toBe(isPublicAddress(text));
      const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(text).toByteArray();
      const hidden = `2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::1`;
      expect(isPublicAddress(hidden)).toBe(false);
    });
  });

  it('of version 6 is in 2000::/3', () => {
    holds(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const isGlobal = parseInt(groups[0]!, 16) >> 13 === 1; // there are eight
      if (!isGlobal && groups.slice(0, 5).some((value) => value !== '0') && groups[0] !== '64')
        expect(isPublicAddress(groups.join(':'))).toBe(false);
    });
  });

  it('must be a valid address', () => {
    holds(anyText, (text) => expect(isPublicAddress(text) && !ipaddr.isValid(text)).toBe(false));
  });

  it('shares one rate limit with its /64, in every notation', () => {
    holds(
      fc.tuple(fc.array(group, { minLength: 8, maxLength: 8 }), fc.array(group, { minLength: 4, maxLength: 4 })),
      ([groups, others]) => {
        const address = ipaddr.IPv6.parse(groups.join(':'));
        const neighbour = ipaddr.IPv6.parse([...groups.slice(0, 4), ...others].join(':'));
        const elsewhere = ipaddr.IPv6.parse([...others, ...groups.slice(4)].join(':'));
        expect(addressKey(address.toString())).toBe(addressKey(address.toNormalizedString()));
        expect(addressKey(neighbour.toString())).toBe(addressKey(address.toString()));
        const isSame = others.join(':') === groups.slice(0, 4).join(':');
        expect(addressKey(elsewhere.toString()) === addressKey(address.toString())).toBe(isSame);
      },
    );
  });
});

describe('auto-approval', () => {
  const label = fc.constantFrom('gov', 'census', '2020census', 'a', 'xn--bcher-kva', 'example', 'my-census');
  const domain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
  const email = fc.tuple(fc.constantFrom('ana', 'a.b+c'), domain).map(([local, at]) => `${local}@${at}`);
  const rule = fc.oneof(
    fc.record({ type: fc.constantFrom('domain', 'partialDomain'), value: domain }),
    fc.record({ type: fc.constant('email'), value: email }),
  ) as fc.Arbitrary<Omit<AutoApprovalRule, 'id'>>; // both shapes of the type

  it('matches whole labels and prefers the most specific rule', () => {
    holds(fc.tuple(email, fc.array(rule, { maxLength: 6 })), ([address, given]) => {
      const rules = given.map((each, at) => ({ ...each, id: String(at) }));
      const at = address.slice(address.indexOf('@') + 1);
      const strength = ({ type, value }: AutoApprovalRule) =>
        type === 'email'
          ? value === address && 1_000
          : type === 'domain'
            ? value === at && 999
            : (value === at || at.endsWith(`.${value}`)) && value.length;
      const best = Math.max(0, ...rules.map((each) => Number(strength(each))));
      const found = matchRule(address, rules);
      expect(found ? Number(strength(found)) : 0).toBe(best);
    });
  });
});

describe('accepted texts', () => {
  it('are e-mail addresses in one normalised form', () => {
    const address = fc.oneof(
      anyText,
      fc.emailAddress(),
      madeOf('a', 'B', '@', '.', '-', '"', '<', '>', ',', '\r\n', 'K', 'example.gov', ' '),
    );
    holds(address, (text) => {
      const read = Email.safeParse(text);
      if (!read.success) return;
      expect(read.data).toMatch(/^[\x21-\x7e]+@[a-z0-9.-]+$/);
      expect(read.data).not.toMatch(/[",;<>()\\A-Z]/);
      expect(Email.parse(read.data)).toBe(read.data);
    });
  });

  it('are certificate names without invisible characters, stable when cleaned again', () => {
    holds(storable, (name) => {
      const clean = cleanName(name);
      expect(cleanName(clean)).toBe(clean);
      expect(clean).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200e\u200f]/u);
      expect(clean).toBe(clean.trim());
    });
  });

  it('are valid rich texts, or are rejected with a reason', () => {
    const node: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        awkwardValue.map((value) => (value instanceof RawJson ? null : value)),
        fc.record(
          {
            nodeType: fc.oneof(
              fc.constantFrom('document', 'paragraph', 'text', 'hyperlink', 'hr', '__proto__', 'constructor'),
              awkwardValue,
            ),
            content: fc.oneof(fc.array(tie('node'), { maxLength: 3 }), awkwardValue),
            data: awkwardValue,
            value: awkwardValue,
            marks: awkwardValue,
          },
          { requiredKeys: [] },
        ),
      ),
    })).node;
    holds(node, (value) => {
      const fault = findRichTextFault(value);
      if (fault) expect(fault.message).not.toBe('');
      else expect(toJson(value)).toContain('"nodeType":"document"');
    });
  });
});

describe('an image of a content folder', () => {
  it('resolves to a path inside the folder', () => {
    const src = madeOf('..', '/', '\\', '%2e', '%2f', '%5c', '.', 'a.png', '#', '?', 'C:', '//', 'file:', '%00', '%25');
    holds(fc.tuple(fc.oneof(src, anyText), fc.constantFrom('lessons/en/1.md', '1.md')), ([address, file]) => {
      for (const path of imageCandidates(address, file)) {
        expect(posix.resolve('/folder', path)).toMatch(/^\/folder\/./s);
        expect(path).not.toMatch(/[\\\0]/);
      }
    });
  });
});
