import { everyScreenFor } from './every-screen.ts';

// Both have few screens of their own and share a product.
everyScreenFor('newcomer');
everyScreenFor('moderator');
