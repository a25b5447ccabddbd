import { expect, it } from 'vitest';
import { platformBadges, withBadges } from './badge-names.ts';

it('sets the known badges and leaves unknown and community badges alone', () => {
  const badges = { communities: { words: ['mentor'] }, platform: { team: ['platform-team'], own: ['our-own'] } };
  expect(withBadges(badges, ['mentor'])).toEqual({
    communities: { words: ['mentor'] },
    platform: { own: ['our-own'], given: ['mentor'] },
  });
  expect(withBadges(badges, ['platform-team'])).toEqual(badges);
  expect(platformBadges(withBadges({}, ['regular', 'unknown']))).toEqual(['regular']);
});
