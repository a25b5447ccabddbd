-- Titles that are nearly what was asked are looked for by the search itself, among what the searcher may read.
drop function nearly_titled(text[]);
