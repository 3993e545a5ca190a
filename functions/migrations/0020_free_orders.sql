CREATE INDEX "orders_free" ON "orders" USING btree ("created_at","id") WHERE "orders"."wallet_id" IS NOT NULL AND "orders"."price_satang" = 0;
