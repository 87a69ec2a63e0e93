-- Tools lent per month
SELECT strftime('%Y-%m', day) AS month, count(*) AS loans
FROM loans GROUP BY month ORDER BY month;

-- The ten tools people wait for
SELECT tool, count(*) AS waiting FROM waiting_list
GROUP BY tool ORDER BY waiting DESC LIMIT 10;

-- Members without a loan this year
SELECT name FROM members
WHERE id NOT IN (SELECT member_id FROM loans WHERE day >= '2025-01-01');
