import { SCREENS } from '../screens.ts';
import { everyScreenFor } from './every-screen.ts';

// Administration screens are in the files named after them.
everyScreenFor('administrator', { screens: SCREENS.filter(({ route }) => !route.startsWith('admin')) });
