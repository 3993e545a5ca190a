CREATE SEQUENCE "public"."order_queue_no" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "delivery_time" (
	"game_id" integer PRIMARY KEY NOT NULL,
	"minutes_from" integer NOT NULL,
	"minutes_to" integer NOT NULL,
	"measured_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "queue_no" integer;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "claim_until" timestamp (3) with time zone;--> statement-breakpoint
WITH numbered AS (SELECT "id", row_number() OVER (ORDER BY "paid_at", "id") AS "n" FROM "orders" WHERE "paid_at" IS NOT NULL)
UPDATE "orders" SET "queue_no" = "numbered"."n" FROM "numbered" WHERE "orders"."id" = "numbered"."id";--> statement-breakpoint
SELECT setval('order_queue_no', (SELECT coalesce(max("queue_no"), 0) + 1 FROM "orders"), false);--> statement-breakpoint
UPDATE "orders" SET "claim_until" = now() + interval '15 minutes' WHERE "status" = 'processing' AND "claimed_by" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "delivery_time" ADD CONSTRAINT "delivery_time_game_id_game_id_fk" FOREIGN KEY ("game_id") REFERENCES "public"."game"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_queue" ON "orders" USING btree ("paid_at","id") WHERE "orders"."status" IN ('paid', 'processing');--> statement-breakpoint
CREATE INDEX "orders_lease" ON "orders" USING btree ("claim_until") WHERE "orders"."claim_until" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_delivered" ON "orders" USING btree ("game_id","ended_at") WHERE "orders"."status" = 'success';--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_queue_no" UNIQUE("queue_no");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_numbered" CHECK ("orders"."paid_at" IS NULL OR "orders"."queue_no" IS NOT NULL);--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_claim" CHECK ("orders"."claim_until" IS NULL OR ("orders"."status" = 'processing' AND "orders"."claimed_by" IS NOT NULL));