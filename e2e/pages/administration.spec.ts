import { SCREENS } from '../screens.ts';
import { everyScreenFor } from './every-screen.ts';

// Those of content and cohorts are in administration-content.spec.ts.
everyScreenFor('administrator', {
  screens: SCREENS.filter(({ route }) => /^admin\b(?!\/(content|cohorts)\b)/.test(route)),
  name: 'administration',
});
