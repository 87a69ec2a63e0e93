# Invent village names from a list of real ones.
names = %w[Lindenhof Fuglesang Holmsund Sandvik Ekeby Lundby Norrholm Sundby Strandvik]
chain = Hash.new { |hash, key| hash[key] = [] }
names.each { |name| "^#{name.downcase}$".each_char.each_cons(2) { |a, b| chain[a] << b } }

srand(7)
10.times do
  letter, word = "^", +""
  word << letter while (letter = chain[letter].sample) != "$" && word.size < 12
  puts word.capitalize
end
