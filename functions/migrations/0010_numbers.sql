CREATE TABLE "sale_day" (
	"day" date NOT NULL,
	"package_id" integer NOT NULL,
	"payment" text NOT NULL,
	"slot" smallint NOT NULL,
	"orders" integer NOT NULL,
	"quantity" integer NOT NULL,
	"revenue_satang" bigint NOT NULL,
	"cost_satang" bigint NOT NULL,
	"uncosted_satang" bigint NOT NULL,
	CONSTRAINT "sale_day_day_package_id_payment_slot_pk" PRIMARY KEY("day","package_id","payment","slot")
);
--> statement-breakpoint
ALTER TABLE "sale_day" ADD CONSTRAINT "sale_day_package_id_package_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."package"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
INSERT INTO "sale_day" (day, package_id, payment, slot, orders, quantity, revenue_satang, cost_satang, uncosted_satang)
SELECT (paid_at AT TIME ZONE 'Asia/Bangkok')::date, package_id, payment, 0, count(*), sum(quantity),
  sum(price_satang + tail_satang), coalesce(sum(cost_satang), 0),
  coalesce(sum(price_satang + tail_satang) FILTER (WHERE cost_satang IS NULL), 0)
FROM orders WHERE paid_at IS NOT NULL AND status IN ('paid', 'processing', 'success', 'failed') GROUP BY 1, 2, 3;
