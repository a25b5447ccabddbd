import { everyScreenFor } from './every-screen.ts';

everyScreenFor('visitor');
