import { SCREENS } from '../screens.ts';
import { everyScreenFor } from './every-screen.ts';

everyScreenFor('administrator', {
  screens: SCREENS.filter(({ route }) => /^admin\/content\b/.test(route)),
  name: 'administration-content',
});
