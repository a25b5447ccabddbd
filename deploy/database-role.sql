-- The role and database of the product. Run once as superuser:
--   OFFICIUM_DB_PASSWORD=… psql -v ON_ERROR_STOP=1 -f deploy/database-role.sql
-- The role owns its database and is not a superuser. It creates pg_trgm and unaccent, which are trusted extensions.
\getenv password OFFICIUM_DB_PASSWORD
create role officium login password :'password';
create database officium owner officium;
