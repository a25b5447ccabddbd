-- The role and the database of the product, for the superuser to make once:
--   OFFICIUM_DB_PASSWORD=… psql -v ON_ERROR_STOP=1 -f deploy/database-role.sql
-- The role owns the database and is no superuser. pg_trgm and unaccent, which it creates there, are trusted extensions.
\getenv password OFFICIUM_DB_PASSWORD
create role officium login password :'password';
create database officium owner officium;
