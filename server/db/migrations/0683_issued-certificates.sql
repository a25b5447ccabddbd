-- The list of issued certificates, newest first, of all journeys and of a course.
create index certificates_issued on certificates (issued_at desc, id desc);
create index certificates_journey on certificates (journey_key, issued_at desc, id desc);
