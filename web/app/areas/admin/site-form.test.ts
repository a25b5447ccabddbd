import { expect, it } from 'vitest';
import type { SiteIdentity } from '@officium/contract/site';
import { identityOf } from './site-form.ts';

const NO_PICTURES = { seal: null, signature1: null, signature2: null };
const STORED: SiteIdentity = {
  name: 'Before',
  accent: '#112233',
  certificate: { layout: 'pattern', colour: null, showsLogo: true, pictures: NO_PICTURES, signatures: [] },
  contact: null,
  logo: null,
  logoDark: null,
  headline: { en: 'Learn', fr: 'Apprendre' },
  lead: {},
  note: {},
  languages: null,
  defaultLanguage: 'en',
  links: [{ label: { en: 'About', fr: 'À propos' }, url: '/about' }],
};
const form = (fields: Record<string, string>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};

it('changes the texts of one language and keeps those of others', () => {
  const fields = form({
    'identity.name': 'After',
    'identity.headline': 'Lernen',
    'identity.links.0.label': 'Über uns',
    'identity.links.0.url': '/about',
  });
  expect(identityOf(fields, STORED, 'de')).toMatchObject({
    name: 'After',
    accent: null,
    headline: { en: 'Learn', fr: 'Apprendre', de: 'Lernen' },
    links: [{ label: { en: 'About', fr: 'À propos', de: 'Über uns' }, url: '/about' }],
  });
});

it('removes a link without an address, adds one, and keeps a name that the form does not offer', () => {
  const fields = form({ 'identity.links.1.label': 'New', 'identity.links.1.url': 'https://a.example/' });
  expect(identityOf(fields, STORED, 'en')).toMatchObject({
    name: 'Before',
    links: [{ label: { en: 'New' }, url: 'https://a.example/' }],
  });
});
