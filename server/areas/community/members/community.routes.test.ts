import * as contract from '@officium/contract/community';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;

describe('listCommunities, narrowed', () => {
  it('finds a part of the title or purpose in the viewer’s language, taken literally', async () => {
    const mark = newId().slice(-8);
    const owls = await makeCommunity(db, { position: -4, title: { en: `Owls ${mark}`, fr: `Hiboux ${mark}` } });
    const share = await makeCommunity(db, { position: -3, title: { en: `100% ${mark}` } });
    const found = async (find: string, locale = 'en') => {
      const { body } = await test.call(contract.listCommunities, undefined, { query: { find, locale } });
      expect(body.total).toBe(body.communities.length);
      return body.communities.map(({ slug }: { slug: string }) => slug);
    };
    expect(await found(`owls ${mark}`)).toEqual([owls.slug]);
    expect(await found(`hiboux ${mark}`)).toEqual([]);
    expect(await found(`hiboux ${mark}`, 'fr')).toEqual([owls.slug]);
    expect(await found(`0% ${mark}`)).toEqual([share.slug]);
    expect(await found(`_ ${mark}`)).toEqual([]);
    expect(await found(mark)).toEqual([owls.slug, share.slug]);
  });

  it('filters by the viewer’s own, or by kind', async () => {
    const made = {
      open: await makeCommunity(db, { position: -4 }),
      closed: await makeCommunity(db, { position: -3, privacy: 'closed-visible', canView: 'verified' }),
      hidden: await makeCommunity(db, { position: -2, privacy: 'closed-hidden' }),
    };
    const slugs = new Map(Object.entries(made).map(([name, { slug }]) => [slug, name]));
    const person = await makePerson(test);
    await makeMember(db, made.open, person);
    await makeMember(db, made.closed, person, { status: 'pending' });
    const found = async (show: contract.CommunityKind, as?: TestPerson) => {
      const { body } = await test.call(contract.listCommunities, as?.as, { query: { show } });
      return body.communities.flatMap(({ slug }: { slug: string }) => slugs.get(slug) ?? []);
    };
    expect(await found('mine', person)).toEqual(['open', 'closed']);
    expect(await found('open', person)).toEqual(['open']);
    expect(await found('closed', person)).toEqual(['closed']);
    expect(await found('mine')).toEqual([]);
    expect((await test.call(contract.listCommunities, undefined, { query: { show: 'all' } as never })).status).toBe(
      400,
    );
  });
});
