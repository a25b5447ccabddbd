import { SCREENS } from '../screens.ts';
import { everyScreenFor } from './every-screen.ts';
import { isOwnPage } from './own-page.ts';

// A member's own pages are in member-own.spec.ts.
everyScreenFor('member', { screens: SCREENS.filter((screen) => !isOwnPage(screen)) });
