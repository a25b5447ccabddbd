import { expect, it } from 'vitest';
import { platformBadges, withBadges } from './badge-names.ts';

it('gives and takes the badges it knows, and leaves the others and those of communities alone', () => {
  const badges = { communities: { words: ['mentor'] }, platform: { team: ['platform-team'], own: ['our-own'] } };
  expect(withBadges(badges, ['mentor'])).toEqual({
    communities: { words: ['mentor'] },
    platform: { own: ['our-own'], given: ['mentor'] },
  });
  expect(withBadges(badges, ['platform-team'])).toEqual(badges);
  expect(platformBadges(withBadges({}, ['regular', 'unknown']))).toEqual(['regular']);
});
