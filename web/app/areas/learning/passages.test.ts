import { expect, it } from 'vitest';
import { placeOf, placesOf } from './passages.ts';

const PLACES = placesOf(
  '<p>At the top.</p><h2 id="s-dates">Dates &amp; times</h2><p id="p-2">Write a <strong>full</strong> date.</p>' +
    '<ul><li>Never a day of the week.</li></ul><table><tr><td>one</td><td>two</td></tr></table>' +
    '<p id="p-3">It&#39;s &lt;b&gt; here.</p>',
);

it('finds the nearest anchor at or above a quotation', () => {
  expect(placeOf(PLACES, 'Write a full date.')).toBe('p-2');
  expect(placeOf(PLACES, 'Never a day of the week.')).toBe('p-2');
  expect(placeOf(PLACES, 'one two')).toBe('p-2');
  expect(placeOf(PLACES, 'Dates & times')).toBe('s-dates');
  expect(placeOf(PLACES, "It's <b> here.")).toBe('p-3');
});

it('returns no anchor for a quotation above all of them', () => {
  expect(placeOf(PLACES, 'At the top.')).toBeNull();
});

it('finds nothing that is not there word for word', () => {
  expect(placeOf(PLACES, 'Write a full data.')).toBeUndefined();
});
