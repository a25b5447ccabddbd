-- The version of the site whose design a certificate keeps; null: the design of the product.
alter table certificates add column site_version integer;
