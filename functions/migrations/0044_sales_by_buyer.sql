CREATE TABLE "sold_day" (
	"day" date NOT NULL,
	"package_id" integer NOT NULL,
	"payment" text NOT NULL,
	"slot" smallint NOT NULL,
	"orders" integer NOT NULL,
	"quantity" integer NOT NULL,
	"revenue_satang" bigint NOT NULL,
	"cost_satang" bigint NOT NULL,
	"uncosted_satang" bigint NOT NULL,
	"buyer" text NOT NULL,
	CONSTRAINT "sold_day_day_package_id_payment_buyer_slot_pk" PRIMARY KEY("day","package_id","payment","buyer","slot")
);
--> statement-breakpoint
CREATE TABLE "sold_month" (
	"day" date NOT NULL,
	"package_id" integer NOT NULL,
	"payment" text NOT NULL,
	"slot" smallint NOT NULL,
	"orders" integer NOT NULL,
	"quantity" integer NOT NULL,
	"revenue_satang" bigint NOT NULL,
	"cost_satang" bigint NOT NULL,
	"uncosted_satang" bigint NOT NULL,
	"buyer" text NOT NULL,
	CONSTRAINT "sold_month_day_package_id_payment_buyer_slot_pk" PRIMARY KEY("day","package_id","payment","buyer","slot")
);
--> statement-breakpoint
ALTER TABLE "sold_day" ADD CONSTRAINT "sold_day_package_id_package_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."package"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sold_month" ADD CONSTRAINT "sold_month_package_id_package_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."package"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
INSERT INTO "sold_day" (day, package_id, payment, buyer, slot, orders, quantity, revenue_satang, cost_satang, uncosted_satang)
SELECT (paid_at AT TIME ZONE 'Asia/Bangkok')::date, package_id, payment,
  CASE WHEN payment = 'wallet' THEN coalesce(buyer_uid, '') WHEN buyer_uid IS NULL THEN 'guest'
    WHEN buyer_uid LIKE 'line:%' THEN 'line' ELSE 'member' END,
  0, count(*), sum(quantity), sum(price_satang + tail_satang), coalesce(sum(cost_satang), 0),
  coalesce(sum(price_satang + tail_satang) FILTER (WHERE cost_satang IS NULL), 0)
FROM "orders" WHERE paid_at IS NOT NULL AND status IN ('paid', 'processing', 'success', 'failed') GROUP BY 1, 2, 3, 4;--> statement-breakpoint
INSERT INTO "sold_month" (day, package_id, payment, buyer, slot, orders, quantity, revenue_satang, cost_satang, uncosted_satang)
SELECT date_trunc('month', day)::date, package_id, payment, buyer, 0, sum(orders), sum(quantity), sum(revenue_satang), sum(cost_satang),
  sum(uncosted_satang) FROM "sold_day" GROUP BY 1, 2, 3, 4;
