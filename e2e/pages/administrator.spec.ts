import { SCREENS } from '../screens.ts';
import { everyScreenFor } from './every-screen.ts';

// Those of the administration are in administration.spec.ts and administration-content.spec.ts.
everyScreenFor('administrator', { screens: SCREENS.filter(({ route }) => !route.startsWith('admin')) });
